from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from portico_contracts.users import AuthMethod, Client
from portico_oauth.errors import Compared
from portico_runtime.process.clock import Clock

from portico_token.assertions.verification import Assertions
from portico_token.client_auth.certificate_checks import CertificateChecks
from portico_token.client_auth.credentials import Credentials
from portico_token.client_auth.secret_uses import SecretUses
from portico_token.domain.clients import CLIENT_AUTHENTICATION, Registration

Ready = Callable[[Client], None]
"""Raises what makes an authenticated client send the same request again, before an assertion in it is used up."""


@dataclass(frozen=True, slots=True)
class MethodDependencies:
    issuer: str
    assertions: Assertions
    clock: Clock
    uses: SecretUses
    certificates: CertificateChecks | None = None


class Method(ABC):
    method: ClassVar[AuthMethod]
    credentials: ClassVar[type[Credentials]]

    def __init__(self, dependencies: MethodDependencies) -> None:
        self._dependencies = dependencies

    @abstractmethod
    async def verify(self, presented: Credentials, client: Client, endpoint: str, ready: Ready) -> bool:
        """`endpoint` is the URL of the called endpoint; raises where the caller may learn the reason."""

    def compare(self, _presented: Credentials, known: Registration) -> Compared:
        """Why credentials are not verified, for diagnostics."""
        return Compared(CLIENT_AUTHENTICATION, self.method.value, known.shown_methods)

    def spend(self, presented: Credentials) -> None:  # noqa: B027 - most methods compare nothing that takes time
        """Costs what refused credentials cost, for a client that has none to compare with (P9)."""
