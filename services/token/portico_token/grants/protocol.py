"""What a grant is, what it is given, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from portico_contracts.users import AuthMethod
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant, GrantStore


@dataclass(frozen=True, slots=True)
class GrantNeeds:
    """What grants work with."""

    bus: Bus
    grants: GrantStore
    clock: Clock


@dataclass(frozen=True, slots=True)
class Grantable:
    """What a grant type found to be granted; tokens can be issued from it.

    Args:
        nonce: goes into the id_token, empty for none.
    """

    grant: Grant
    nonce: str = ""


class GrantType(Protocol):
    """One row of `GRANTS`."""

    grant_type: ClassVar[str]
    """The value of `grant_type`."""
    parameters: ClassVar[frozenset[str]]
    """What it may read of the form; the rest is stripped."""
    methods: ClassVar[frozenset[AuthMethod]]
    """How a client may authenticate for it."""

    def __init__(self, needs: GrantNeeds) -> None: ...

    async def authorize(self, parameters: Mapping[str, str], client: AuthenticatedClient) -> Grantable:
        """What this client may be given for these parameters; single use is claimed here, before anything is made.

        Raises:
            Refusal: when it may not.
        """
        ...
