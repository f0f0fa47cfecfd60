"""client_secret_post (RFC 6749 §2.3.1)."""

from __future__ import annotations

from typing import ClassVar

from portico_contracts.users import AuthMethod, Client

from portico_token.client_auth.credentials import Credentials, PostSecret
from portico_token.client_auth.secrets_match import secret_matches


class SecretPost:
    """The id and secret stand in the body."""

    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_POST

    async def verify(self, credentials: Credentials, client: Client) -> bool:
        """See `Method.verify`."""
        return isinstance(credentials, PostSecret) and secret_matches(credentials.secret, client)
