"""none: a public client names itself and proves itself by PKCE, which its grants check (RFC 7636)."""

from __future__ import annotations

from typing import ClassVar

from portico_contracts.users import AuthMethod, Client

from portico_token.client_auth.credentials import Credentials, IdOnly


class NoSecret:
    """Only the id stands in the body."""

    method: ClassVar[AuthMethod] = AuthMethod.NONE

    async def verify(self, credentials: Credentials, client: Client) -> bool:
        """See `Method.verify`."""
        return isinstance(credentials, IdOnly) and client.client_id == credentials.client_id
