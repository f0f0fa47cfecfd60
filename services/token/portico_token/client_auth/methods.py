"""The interface of client authentication methods, and the methods without an assertion (RFC 6749 §2.3.1, RFC 7636)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from portico_contracts.users import AuthMethod, Client
from portico_oauth.opaque import equal_in_constant_time, fingerprint
from portico_runtime.clock import Clock

from portico_token.assertions.verification import Assertions
from portico_token.client_auth.credentials import BasicSecret, Credentials, IdOnly, PostSecret


@dataclass(frozen=True, slots=True)
class MethodDependencies:
    """What methods work with.

    Args:
        issuer: our own name, which assertions may have as their audience.
    """

    issuer: str
    assertions: Assertions
    clock: Clock


class Method(ABC):
    """One row of `CLIENT_AUTH`."""

    method: ClassVar[AuthMethod]
    credentials: ClassVar[type[Credentials]]
    """The one kind of credentials that is of this method."""

    def __init__(self, dependencies: MethodDependencies) -> None:
        self._dependencies = dependencies

    @abstractmethod
    async def verify(self, presented: Credentials, client: Client, endpoint: str) -> bool:
        """Do these credentials prove that this is the client?

        Args:
            endpoint: URL of the endpoint called.

        Raises:
            ServiceError: where the caller may know more than no.
        """


_NO_SECRET: Final = "-" * len(fingerprint(""))
"""Compared in place of a missing fingerprint: of the same length, and never equal to one."""


def secret_matches(secrets: Iterable[str], client: Client | None, now: float) -> bool:
    """Compares in constant time: for each reading of the presented secret one hash and two comparisons, whatever matches.

    They are made whether or not there is a client with secrets. The second one is with the secret before, which is good until it ends. Secrets are generated with 256 bits, so one
    SHA-256 is enough; no secret has an empty fingerprint.

    Args:
        secrets: the readings of the one that was presented.
        now: unix seconds.
    """
    is_kept = client is not None and now < client.previous_secret_until
    matches = False
    for presented in map(fingerprint, secrets):
        newest = equal_in_constant_time(presented, (client.secret_hash if client else "") or _NO_SECRET)
        previous = equal_in_constant_time(presented, (client.previous_secret_hash if client else "") or _NO_SECRET)
        matches |= newest or (previous and is_kept)
    return matches


class SecretBasic(Method):
    """The id and secret are in the authorization header (RFC 6749 §2.3.1)."""

    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_BASIC
    credentials: ClassVar[type[Credentials]] = BasicSecret

    async def verify(self, presented: Credentials, client: Client, _endpoint: str) -> bool:
        """See `Method.verify`."""
        if not isinstance(presented, BasicSecret | PostSecret) or type(presented) is not self.credentials:
            return False
        return secret_matches(presented.secrets, client, self._dependencies.clock.now())


class SecretPost(SecretBasic):
    """The id and secret are in the body (RFC 6749 §2.3.1)."""

    method: ClassVar[AuthMethod] = AuthMethod.CLIENT_SECRET_POST
    credentials: ClassVar[type[Credentials]] = PostSecret


class NoSecret(Method):
    """A public client sends only its id, in the body, and proves itself by PKCE, which its grants check (RFC 7636)."""

    method: ClassVar[AuthMethod] = AuthMethod.NONE
    credentials: ClassVar[type[Credentials]] = IdOnly

    async def verify(self, presented: Credentials, client: Client, _endpoint: str) -> bool:
        """See `Method.verify`."""
        return isinstance(presented, IdOnly) and client.client_id == presented.client_id
