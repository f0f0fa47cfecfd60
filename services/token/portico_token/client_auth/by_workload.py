"""Tokens of trusted workloads as client authentication, and in the JWT profile grant (decision 0152).

They need no registered method: the trusted workload is the registration. Every refusal looks like that of an unknown
client, in bytes and in time.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from portico_contracts.users import AuthMethod
from portico_oauth.errors import ErrorCode

from portico_token.client_auth.credentials import WorkloadToken
from portico_token.domain.clients import SECRET_METHODS, AuthenticatedClient, Registration
from portico_token.users_client import UsersClient
from portico_token.workloads.tokens import Untrusted, WorkloadTokens
from portico_token.workloads.uses import WorkloadUses

_CONFIDENTIAL: Final = SECRET_METHODS | {AuthMethod.PRIVATE_KEY_JWT}


class WorkloadClients:
    def __init__(self, users_client: UsersClient, tokens: WorkloadTokens, uses: WorkloadUses) -> None:
        self._users_client = users_client
        self._tokens = tokens
        self._uses = uses

    async def authenticate(
        self, presented: WorkloadToken, allowed: Collection[AuthMethod], refused: ErrorCode
    ) -> AuthenticatedClient:
        """Raises `refused` where the endpoint or the grant does not authenticate clients by a secret or a key."""
        known = await self._users_client.find_registration(presented.client_id)
        return await self._verify(presented, known if _CONFIDENTIAL.intersection(allowed) else None, refused)

    async def authenticate_service_user(self, presented: WorkloadToken, refused: ErrorCode) -> AuthenticatedClient:
        """The id is that of the service user, never its name."""
        known = await self._users_client.find_registration(presented.client_id)
        is_named = known is not None and known.user is not None and known.user.user_id == presented.client_id
        return await self._verify(presented, known if is_named else None, refused)

    async def _verify(
        self, presented: WorkloadToken, known: Registration | None, refused: ErrorCode
    ) -> AuthenticatedClient:
        try:
            client, workload = await self._tokens.verify(presented.token, known)
        except Untrusted as untrusted:
            named = known.client.client_id if known else ""
            raise refused.error(client=named, compared=untrusted.compared) from untrusted
        await self._uses.note(client.client, workload)
        return AuthenticatedClient(client.client, AuthMethod.PRIVATE_KEY_JWT, client.user)
