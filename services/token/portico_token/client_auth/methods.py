"""The interface of client authentication methods, and the methods without an assertion (RFC 6749 §2.3.1, RFC 7636)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from portico_contracts.users import AuthMethod, Client
from portico_oauth.opaque import equal_in_constant_time, fingerprint
from portico_runtime.process.clock import Clock

from portico_token.assertions.verification import Assertions
from portico_token.client_auth.credentials import BasicSecret, Credentials, IdOnly, PostSecret


@dataclass(frozen=True, slots=True)
class MethodDependencies:
    issuer: str
    assertions: Assertions
    clock: Clock


class Method(ABC):
    method: ClassVar[AuthMethod]
    credentials: ClassVar[type[Credentials]]

    def __init__(self, dependencies: MethodDependencies) -> None:
        self._dependencies = dependencies

    @abstractmethod
    async def verify(self, presented: Credentials, client: Client, endpoint: str) -> bool:
        """`endpoint` is the URL of the called endpoint; raises where the caller may learn the reason."""


_NO_SECRET: Final = "-" * len(fingerprint(""))
"""Compared in place of a missing fingerprint: of the same length, and never equal to one."""


def secret_matches(secrets: Iterable[str], client: Client | None, now: float) -> bool:
    """Compares in constant time, whether or not the client exists or has secrets; `now` is in unix seconds.

    Also accepts the previous secret until it expires. Secrets have 256 random bits, so one SHA-256 is enough.
    """
    is_kept = client is not None and now < client.previous_secret_until
    matches = False
    for presented in map(fingerprint, secrets):
        newest = equal_in_constant_time(presented, (client.secret_hash if client else "") or _NO_SECRET)
        previous = equal_in_constant_time(presented, (client.previous_secret_hash if client else "") or _NO_SECRET)
        matches |= newest or (previous and is_kept)
    return matches


class SecretBasic(Method):
    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_BASIC
    credentials: ClassVar[type[Credentials]] = BasicSecret

    async def verify(self, presented: Credentials, client: Client, _endpoint: str) -> bool:
        if not isinstance(presented, BasicSecret | PostSecret) or type(presented) is not self.credentials:
            return False
        return secret_matches(presented.secrets, client, self._dependencies.clock.now())


class SecretPost(SecretBasic):
    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_POST
    credentials: ClassVar[type[Credentials]] = PostSecret


class NoSecret(Method):
    """A public client sends only its id, in the body, and proves itself by PKCE, which its grants check (RFC 7636)."""

    method: ClassVar[AuthMethod] = AuthMethod.NONE
    credentials: ClassVar[type[Credentials]] = IdOnly

    async def verify(self, presented: Credentials, client: Client, _endpoint: str) -> bool:
        return isinstance(presented, IdOnly) and client.client_id == presented.client_id
