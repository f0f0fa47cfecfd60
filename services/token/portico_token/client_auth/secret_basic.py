"""client_secret_basic (RFC 6749 §2.3.1)."""

from __future__ import annotations

from typing import ClassVar

from portico_contracts.users import AuthMethod, Client

from portico_token.client_auth.credentials import BasicSecret, Credentials
from portico_token.client_auth.secrets_match import secret_matches


class SecretBasic:
    """The id and secret stand in the authorization header."""

    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_BASIC

    async def verify(self, credentials: Credentials, client: Client) -> bool:
        """See `Method.verify`."""
        return isinstance(credentials, BasicSecret) and secret_matches(credentials.secret, client)
