"""The client authentication methods: with a secret or none (RFC 6749 §2.3.1, RFC 7636), and the table of all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod, Client
from portico_oauth.errors import Compared
from portico_oauth.opaque import equal_in_constant_time, fingerprint

from portico_token.client_auth.certificates import SelfSignedTlsClientAuth, TlsClientAuth
from portico_token.client_auth.credentials import BasicSecret, Credentials, IdOnly, PostSecret
from portico_token.client_auth.private_key_jwt import PrivateKeyJwt
from portico_token.client_auth.protocol import Method, Ready
from portico_token.domain.clients import Registration

_NO_SECRET: Final = "-" * len(fingerprint(""))
"""Compared in place of a missing fingerprint: of the same length, and never equal to one."""


def find_secret(secrets: Iterable[str], client: Client | None, now: float) -> str:
    """Returns the hash of the client's secret that is one of these; empty for none. `now` is in unix seconds.

    Compares in constant time, whether or not the client exists or has secrets. Also accepts the previous secret until
    it expires. Secrets have 256 random bits, so one SHA-256 is enough.
    """
    is_kept = client is not None and now < client.previous_secret_until
    is_expired = client is not None and has_expired(client, now)
    found = ""
    for presented in map(fingerprint, secrets):
        newest = equal_in_constant_time(presented, (client.secret_hash if client else "") or _NO_SECRET)
        previous = equal_in_constant_time(presented, (client.previous_secret_hash if client else "") or _NO_SECRET)
        found = presented if (newest and not is_expired) or (previous and is_kept) else found
    return found


def has_expired(client: Client, now: float) -> bool:
    """Reports whether the current secret has an end that has come."""
    return 0 < client.secret_until <= now


class SecretBasic(Method):
    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_BASIC
    credentials: ClassVar[type[Credentials]] = BasicSecret

    async def verify(self, presented: Credentials, client: Client, _endpoint: str, _ready: Ready) -> bool:
        if not isinstance(presented, BasicSecret | PostSecret) or type(presented) is not self.credentials:
            return False
        found = find_secret(presented.secrets, client, self._dependencies.clock.now())
        if found:
            await self._dependencies.uses.note(client, found)
        return bool(found)

    def compare(self, presented: Credentials, known: Registration) -> Compared:
        is_expired = has_expired(known.client, self._dependencies.clock.now())
        hint = Hint.SECRET_EXPIRED if is_expired else Hint.WRONG_SECRET if known.client.secret_hash else Hint.NO_SECRET
        return super().compare(presented, known)._replace(hint=hint)


class SecretPost(SecretBasic):
    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_POST
    credentials: ClassVar[type[Credentials]] = PostSecret


class NoSecret(Method):
    """A public client sends only its id, in the body, and proves itself by PKCE, which its grants check (RFC 7636)."""

    method: ClassVar[AuthMethod] = AuthMethod.NONE
    credentials: ClassVar[type[Credentials]] = IdOnly

    async def verify(self, presented: Credentials, client: Client, _endpoint: str, _ready: Ready) -> bool:
        return isinstance(presented, IdOnly) and client.client_id == presented.client_id


CLIENT_AUTH: Final[dict[AuthMethod, type[Method]]] = {
    kind.method: kind
    for kind in (SecretBasic, SecretPost, PrivateKeyJwt, NoSecret, TlsClientAuth, SelfSignedTlsClientAuth)
}
