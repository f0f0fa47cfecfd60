"""What a grant is, what it is given, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol

from portico_contracts.users import AuthMethod, User
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

from portico_token.directory import Directory
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant, GrantStore, RefreshToken
from portico_token.grants.compromised_grants import CompromisedGrants


@dataclass(frozen=True, slots=True)
class GrantDependencies:
    """What grants work with."""

    bus: Bus
    grants: GrantStore
    directory: Directory
    clock: Clock
    random: RandomBytes
    compromised_grants: CompromisedGrants


class ClientIdentification(Enum):
    """How it is known who asks."""

    AUTHENTICATION = "authentication"
    """By one of the client authentication methods the grant takes."""
    ASSERTION = "assertion"
    """The assertion of the grant is the client (RFC 7523 §2.1)."""


class ScopePolicy(Enum):
    """What becomes of the parameter `scope`; the pipeline reads it, so that no grant reads it differently."""

    IGNORED = "ignored"
    """It was granted before."""
    OPTIONAL = "optional"
    """It may ask for less than was granted."""
    REQUIRED = "required"


class IdTokenPolicy(Enum):
    """Whether an id_token comes with the access token."""

    WITH_OPENID = "with openid"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class UsedRefreshToken:
    """The refresh token that was presented.

    Args:
        fingerprint: of its text.
        current: the one the grant had when this was looked at; it may be another one by now.
        grace: seconds the one before the current one may be used again.
    """

    fingerprint: str
    current: RefreshToken
    grace: int


@dataclass(frozen=True, slots=True)
class GrantResult:
    """What a grant type found to be granted; tokens can be issued from it.

    Args:
        grant: without an id when it is kept nowhere: the JWT lives by itself.
        nonce: goes into the id_token, empty for none.
        scope: of the tokens, where it is narrower than the grant's.
        audience: of the tokens, where it is another than the grant's.
        user: the service user it is for, known to be active.
        refreshable: a refresh token comes with it.
        used: the refresh token it is issued for.
        seconds: how long the access token lives at most, where the client asked for less than it may have.
    """

    grant: Grant
    nonce: str = ""
    scope: tuple[str, ...] | None = None
    audience: tuple[str, ...] | None = None
    user: User | None = None
    refreshable: bool = False
    used: UsedRefreshToken | None = None
    seconds: int | None = None

    @property
    def token_scope(self) -> tuple[str, ...]:
        """The scope of the tokens."""
        return self.grant.scope if self.scope is None else self.scope

    @property
    def token_audience(self) -> tuple[str, ...]:
        """The audience of the tokens."""
        return self.grant.audience if self.audience is None else self.audience


class GrantType(Protocol):
    """One row of `GRANTS`."""

    grant_type: ClassVar[str]
    """The value of `grant_type`."""
    parameters: ClassVar[frozenset[str]]
    """What it may read of the form; the rest is stripped."""
    client: ClassVar[ClientIdentification]
    methods: ClassVar[frozenset[AuthMethod]]
    """How a client may authenticate for it."""
    scope: ClassVar[ScopePolicy]
    id_token: ClassVar[IdTokenPolicy]

    def __init__(self, dependencies: GrantDependencies) -> None: ...

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> GrantResult:
        """What this client may be given for these parameters; a code is claimed here, a refresh token when it is kept.

        Args:
            scope: known words without repeats, None when none was asked for.

        Raises:
            ServiceError: when it may not.
        """
        ...
