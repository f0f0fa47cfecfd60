"""Verify: a registered method, and only that, makes an `AuthenticatedClient` (TK-16)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from portico_contracts.users import AuthMethod
from portico_oauth.errors import Fact, Kind

from portico_token.client_auth import CLIENT_AUTH
from portico_token.client_auth.find import find_credentials
from portico_token.client_auth.method import MethodNeeds
from portico_token.directory import Directory
from portico_token.domain.clients import AuthenticatedClient

NOT_AUTHENTICATED = Fact(
    "TOKEN-015",
    Kind.CLIENT_UNKNOWN,
    "The client is not known, or did not authenticate as registered.",
    "Check client id, secret and the registered authentication method.",
)
MAX_CLIENT_ID: Final = 200


class ClientAuthentication:
    """Authenticates the client of a request."""

    def __init__(self, directory: Directory, needs: MethodNeeds) -> None:
        self._directory = directory
        self._issuer = needs.issuer
        self._methods = {kind.credentials: kind(needs) for kind in CLIENT_AUTH.values()}

    async def authenticate(
        self, authorization: Sequence[str], form: Mapping[str, str], allowed: Collection[AuthMethod], path: str
    ) -> AuthenticatedClient:
        """The client of a request.

        Args:
            authorization: every Authorization header.
            form: the parameters of the body.
            allowed: the methods that may be used for what is asked.
            path: of the endpoint called; assertions may name it.

        Raises:
            Refusal: of `find_credentials`, what a method says to the holder of a key, or TOKEN-015 for everything
                else: an unknown client, a wrong secret and another method than the registered one look alike (P9).
        """
        credentials = find_credentials(authorization, form)
        client_id = credentials.client_id
        known = await self._directory.find_registration(client_id) if 0 < len(client_id) <= MAX_CLIENT_ID else None
        method = self._methods[type(credentials)]
        if known is None or method.method not in known.methods or method.method not in allowed:
            raise NOT_AUTHENTICATED.refusal()
        if not await method.verify(credentials, known.client, self._issuer + path):
            raise NOT_AUTHENTICATED.refusal(client=known.client.client_id)
        return AuthenticatedClient(known.client, method.method, known.user)
