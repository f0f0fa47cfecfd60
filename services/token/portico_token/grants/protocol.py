"""The interface of a grant type: its dependencies, its attributes and its result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from portico_contracts.users import AuthMethod, User
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

from portico_token.directory import Directory
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant, GrantStore, RefreshToken
from portico_token.grants.compromised_grants import CompromisedGrants
from portico_token.people import People


@dataclass(frozen=True, slots=True)
class GrantDependencies:
    """The dependencies of the grants."""

    bus: Bus
    grants: GrantStore
    directory: Directory
    people: People
    clock: Clock
    random: RandomBytes
    compromised_grants: CompromisedGrants


class ClientIdentification(Enum):
    """How the client of a request is identified."""

    AUTHENTICATION = "authentication"
    """By one of the client authentication methods the grant allows."""
    ASSERTION = "assertion"
    """By the assertion of the grant itself (RFC 7523 §2.1)."""


class ScopePolicy(Enum):
    """How the parameter `scope` is read; the pipeline does it, so that no grant reads it differently."""

    IGNORED = "ignored"
    """It was granted before."""
    OPTIONAL = "optional"
    """It may narrow the granted scope; the grant compares it with what was requested, unknown words too."""
    REQUIRED = "required"


class IdTokenPolicy(Enum):
    """Whether an id_token is issued with the access token."""

    WITH_OPENID = "with openid"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class UsedRefreshToken:
    """The refresh token that was presented.

    Args:
        fingerprint: of its text.
        current: the one of the grant when it was read; it may be another one by now.
        grace: seconds the one before the current one may be used again.
    """

    fingerprint: str
    current: RefreshToken
    grace: int


@dataclass(frozen=True, slots=True)
class GrantResult:
    """The result of a grant type; tokens are issued from it.

    Args:
        grant: without an id when it is not stored: the JWT is stateless.
        nonce: of the id_token, empty for none.
        scope: of the tokens, where it is narrower than the grant's.
        audience: of the access token, where it is another than the grant's.
        user: the service user it is for, which is active.
        refreshable: a refresh token is issued with it.
        used: the refresh token it is issued for.
        seconds: requested lifetime of the access token, where it is shorter than the allowed one.
        version: of the facts about the user, where it was read with the grant.
        left_out: words of the scope that the client may not have.
    """

    grant: Grant
    nonce: str = ""
    scope: tuple[str, ...] | None = None
    audience: tuple[str, ...] | None = None
    user: User | None = None
    refreshable: bool = False
    used: UsedRefreshToken | None = None
    seconds: int | None = None
    version: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def token_scope(self) -> tuple[str, ...]:
        """The scope of the tokens."""
        return self.grant.scope if self.scope is None else self.scope

    @property
    def token_audience(self) -> tuple[str, ...]:
        """The audience of the access token."""
        return self.grant.audience if self.audience is None else self.audience


class GrantType(ABC):
    """One row of `GRANTS`."""

    grant_type: ClassVar[str]
    """The value of `grant_type`."""
    parameters: ClassVar[frozenset[str]]
    """The form parameters it may read; the rest is stripped."""
    client: ClassVar[ClientIdentification] = ClientIdentification.AUTHENTICATION
    methods: ClassVar[frozenset[AuthMethod]] = frozenset(AuthMethod)
    """How a client may authenticate for it."""
    scope: ClassVar[ScopePolicy]
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.WITH_OPENID

    def __init__(self, dependencies: GrantDependencies) -> None:
        self._dependencies = dependencies

    @abstractmethod
    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> GrantResult:
        """The result for this client and these parameters; a code is claimed here, a refresh token when its successor is stored.

        Args:
            scope: known words without repeats, None when none was requested.

        Raises:
            ServiceError: when the request is refused.
        """
