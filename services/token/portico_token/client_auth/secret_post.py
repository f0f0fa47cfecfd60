"""client_secret_post (RFC 6749 §2.3.1)."""

from __future__ import annotations

from typing import ClassVar

from portico_contracts.users import AuthMethod, Client

from portico_token.client_auth.credentials import Credentials, PostSecret
from portico_token.client_auth.method import MethodDependencies
from portico_token.client_auth.secrets_match import secret_matches


class SecretPost:
    """The id and secret are in the body (RFC 6749 §2.3.1)."""

    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_POST
    credentials: ClassVar[type[Credentials]] = PostSecret

    def __init__(self, dependencies: MethodDependencies) -> None:
        self._clock = dependencies.clock

    async def verify(self, presented: Credentials, client: Client, _endpoint: str) -> bool:
        """See `Method.verify`."""
        now = self._clock.now()
        return isinstance(presented, PostSecret) and secret_matches(presented.secrets, client, now)
