from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from portico_contracts.users import AuthMethod, Client, User
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

from portico_token.active_tokens import ActiveTokens
from portico_token.cached_users import CachedUsers
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant, GrantStore, RefreshToken
from portico_token.grants.compromised_grants import CompromisedGrants
from portico_token.users_client import UsersClient


@dataclass(frozen=True, slots=True)
class GrantDependencies:
    bus: Bus
    grants: GrantStore
    users_client: UsersClient
    users: CachedUsers
    clock: Clock
    random: RandomBytes
    compromised_grants: CompromisedGrants
    active_tokens: ActiveTokens


class ClientIdentification(Enum):
    AUTHENTICATION = "authentication"
    """By a client authentication method that the grant allows."""
    ASSERTION = "assertion"
    """By the assertion of the grant itself (RFC 7523 section 2.1)."""


class ScopePolicy(Enum):
    """How the parameter `scope` is read by the pipeline."""

    IGNORED = "ignored"
    """It was granted before."""
    OPTIONAL = "optional"
    """It may narrow the granted scope; the grant compares it with the requested one, including unknown words."""
    REQUIRED = "required"


class IdTokenPolicy(Enum):
    WITH_OPENID = "with openid"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class UsedRefreshToken:
    """`current` is the grant's token when it was read; it may have changed since. `grace` is in seconds."""

    fingerprint: str
    current: RefreshToken
    grace: int


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The access token that was exchanged: its fingerprint, and its expiry in unix seconds. `client_id` exchanged it."""

    fingerprint: str
    expires: int
    client_id: str


@dataclass(frozen=True, slots=True)
class GrantResult:
    """The result of a grant type, from which tokens are issued.

    Args:
        grant: without an id when it is not stored: the JWT is stateless.
        seconds: requested lifetime of the access token, where it is shorter than the allowed one.
        version: of the user, where it was read with the grant.
        left_out: words of the scope that the client may not have.
        access_scope: of the access token, where it is narrower than the granted scope.
        role_projects: projects whose roles the access token may have; None for all of the client and the scope. The
            groups are those of the client's project.
        exchanged: where the token is added to the live grant of another token.
        client: the client in the organization that accepted its document, which authentication does not know; None
            for other clients.
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
    access_scope: tuple[str, ...] | None = None
    role_projects: tuple[str, ...] | None = None
    exchanged: Exchanged | None = None
    client: Client | None = None

    @property
    def client_id(self) -> str:
        return self.exchanged.client_id if self.exchanged else self.grant.client_id

    @property
    def token_scope(self) -> tuple[str, ...]:
        return self.grant.scope if self.scope is None else self.scope

    @property
    def access_token_scope(self) -> tuple[str, ...]:
        return self.token_scope if self.access_scope is None else self.access_scope

    def may_have_roles_of(self, project: str) -> bool:
        """Whether the access token may have roles of a project."""
        return self.role_projects is None or project in self.role_projects

    @property
    def serves_userinfo(self) -> bool:
        """False for an access token for resources, so that the id_token has the claims of the scope."""
        return self.access_scope is None

    @property
    def token_audience(self) -> tuple[str, ...]:
        return self.grant.audience if self.audience is None else self.audience


class GrantType(ABC):
    grant_type: ClassVar[str]
    parameters: ClassVar[frozenset[str]]
    """The form parameters it may read; others are removed."""
    client: ClassVar[ClientIdentification] = ClientIdentification.AUTHENTICATION
    methods: ClassVar[frozenset[AuthMethod]] = frozenset(AuthMethod)
    """Allowed client authentication methods."""
    scope: ClassVar[ScopePolicy]
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.WITH_OPENID

    def __init__(self, dependencies: GrantDependencies) -> None:
        self._dependencies = dependencies

    @abstractmethod
    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> GrantResult:
        """Claims a code; a refresh token is consumed only when its successor is stored.

        `scope` has known words without repeats, None when none was requested.
        """
