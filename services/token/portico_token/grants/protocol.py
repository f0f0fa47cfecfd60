from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from portico_contracts.users import AuthMethod
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock

from portico_token.active_tokens import ActiveTokens
from portico_token.cached_users import CachedUsers
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import GrantStore
from portico_token.grants.compromised_grants import CompromisedGrants
from portico_token.grants.results import GrantResult, IdentityAssertion
from portico_token.id_token_reader import IdTokenReader
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
    id_tokens: IdTokenReader


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


class GrantType(ABC):
    grant_type: ClassVar[str]
    parameters: ClassVar[frozenset[str]]
    """The form parameters it may read; others are removed."""
    client: ClassVar[ClientIdentification] = ClientIdentification.AUTHENTICATION
    methods: ClassVar[frozenset[AuthMethod]] = frozenset(AuthMethod)
    """Allowed client authentication methods."""
    scope: ClassVar[ScopePolicy]
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.WITH_OPENID
    is_registered: ClassVar[bool] = True
    """Whether the client must be registered for the grant type."""

    def __init__(self, dependencies: GrantDependencies) -> None:
        self._dependencies = dependencies

    async def is_bound(self, _form: Mapping[str, str], _client: AuthenticatedClient) -> bool:
        """Whether the request presents what stays bound to a key when DPoP is turned off."""
        return False

    @abstractmethod
    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> GrantResult | IdentityAssertion:
        """Claims a code; a refresh token is consumed only when its successor is stored.

        `scope` has known words without repeats, None when none was requested.
        """
