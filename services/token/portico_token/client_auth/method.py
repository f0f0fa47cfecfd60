"""What a client authentication method is, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from portico_contracts.users import AuthMethod, Client
from portico_runtime.clock import Clock

from portico_token.assertions.verification import Assertions
from portico_token.client_auth.credentials import Credentials


@dataclass(frozen=True, slots=True)
class MethodDependencies:
    """What methods work with.

    Args:
        issuer: our own name, which assertions may have as their audience.
    """

    issuer: str
    assertions: Assertions
    clock: Clock


class Method(Protocol):
    """One row of `CLIENT_AUTH`."""

    method: ClassVar[AuthMethod]
    credentials: ClassVar[type[Credentials]]
    """The one kind of credentials that is of this method."""

    def __init__(self, dependencies: MethodDependencies) -> None: ...

    async def verify(self, presented: Credentials, client: Client, endpoint: str) -> bool:
        """Do these credentials prove that this is the client?

        Args:
            endpoint: URL of the endpoint called.

        Raises:
            ServiceError: where the caller may know more than no.
        """
        ...
