"""none: a public client names itself and proves itself by PKCE, which its grants check (RFC 7636)."""

from __future__ import annotations

from typing import ClassVar

from portico_contracts.users import AuthMethod, Client

from portico_token.client_auth.credentials import Credentials, IdOnly
from portico_token.client_auth.method import MethodDependencies


class NoSecret:
    """Public clients send only their id, in the body."""

    method: ClassVar[AuthMethod] = AuthMethod.NONE
    credentials: ClassVar[type[Credentials]] = IdOnly

    def __init__(self, dependencies: MethodDependencies) -> None:
        pass

    async def verify(self, presented: Credentials, client: Client, _endpoint: str) -> bool:
        """See `Method.verify`."""
        return isinstance(presented, IdOnly) and client.client_id == presented.client_id
