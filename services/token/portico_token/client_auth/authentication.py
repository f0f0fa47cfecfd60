"""Verify: the registered method, and only that, makes an `AuthenticatedClient` (TK-16)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from portico_contracts.users import AuthMethod
from portico_oauth.errors import Fact, Kind

from portico_token.client_auth import CLIENT_AUTH
from portico_token.client_auth.find import find_credentials
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

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def authenticate(
        self, authorization: Sequence[str], form: Mapping[str, str], allowed: Collection[AuthMethod]
    ) -> AuthenticatedClient:
        """The client of a request.

        Args:
            authorization: every Authorization header.
            form: the parameters of the body.
            allowed: the methods that may be used for what is asked.

        Raises:
            Refusal: of `find_credentials`, or TOKEN-015 for everything else: an unknown client, a wrong
                secret and another method than the registered one look alike (P9).
        """
        credentials = find_credentials(authorization, form)
        client_id = credentials.client_id
        client = await self._directory.find_client(client_id) if 0 < len(client_id) <= MAX_CLIENT_ID else None
        method = CLIENT_AUTH.get(client.auth_method) if client else None
        if client is None or method is None or method.method not in allowed:
            raise NOT_AUTHENTICATED.refusal()
        if not await method.verify(credentials, client):
            raise NOT_AUTHENTICATED.refusal(client=client.client_id)
        return AuthenticatedClient(client, method.method)
