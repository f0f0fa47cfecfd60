"""What a client authentication method is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from portico_contracts.users import AuthMethod, Client

from portico_token.client_auth.credentials import Credentials


class Method(Protocol):
    """One row of `CLIENT_AUTH`."""

    method: ClassVar[AuthMethod]

    async def verify(self, credentials: Credentials, client: Client) -> bool:
        """Are these credentials of this method, and do they prove that this is the client?"""
        ...
