"""urn:ietf:params:oauth:grant-type:jwt-bearer (RFC 7523 §2.1), the JWT profile: a service user signs an assertion.

Easy to get wrong: the assertion is the only authentication, verified and claimed in `client_auth.by_assertion` before
this runs; an id_token is always issued, whatever the scope; never a refresh token (TK-20).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from portico_contracts.users import AuthMethod
from portico_oauth import grant_types

from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.origin import Origin
from portico_token.grants.protocol import (
    ClientIdentification,
    GrantDependencies,
    GrantResult,
    IdTokenPolicy,
    ScopePolicy,
)
from portico_token.grants.requested_lifetime import EXPIRES_IN, requested_seconds
from portico_token.grants.to_service_user import grant_to_service_user


class JwtBearer:
    """Gives a service user a token for itself as a user."""

    grant_type: ClassVar[str] = grant_types.JWT_BEARER
    parameters: ClassVar[frozenset[str]] = frozenset({EXPIRES_IN})
    client: ClassVar[ClientIdentification] = ClientIdentification.ASSERTION
    methods: ClassVar[frozenset[AuthMethod]] = frozenset()
    scope: ClassVar[ScopePolicy] = ScopePolicy.REQUIRED
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.ALWAYS

    def __init__(self, dependencies: GrantDependencies) -> None:
        self._dependencies = dependencies

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> GrantResult:
        """See `GrantType.authorize`."""
        seconds = requested_seconds(parameters)
        granted = await grant_to_service_user(self._dependencies, client, scope or (), Origin.JWT_PROFILE)
        return dataclasses.replace(granted, seconds=seconds)
