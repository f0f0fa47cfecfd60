"""client_credentials (RFC 6749 §4.4): a service user requests a token for itself.

Easy to get wrong: only with a secret, in the header or in the body; the scope is required; there is neither an
id_token nor a refresh token (TK-20), and userinfo refuses the access token, which has no end user (IR-09).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from portico_contracts.users import AuthMethod
from portico_oauth import grant_types

from portico_token.domain.clients import SECRET_METHODS, AuthenticatedClient
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


class ClientCredentials:
    """Gives a service user a token for itself as a client."""

    grant_type: ClassVar[str] = grant_types.CLIENT_CREDENTIALS
    parameters: ClassVar[frozenset[str]] = frozenset({EXPIRES_IN})
    client: ClassVar[ClientIdentification] = ClientIdentification.AUTHENTICATION
    methods: ClassVar[frozenset[AuthMethod]] = SECRET_METHODS
    scope: ClassVar[ScopePolicy] = ScopePolicy.REQUIRED
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.NEVER

    def __init__(self, dependencies: GrantDependencies) -> None:
        self._dependencies = dependencies

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> GrantResult:
        """See `GrantType.authorize`."""
        seconds = requested_seconds(parameters)
        granted = await grant_to_service_user(self._dependencies, client, scope or (), Origin.CLIENT_CREDENTIALS)
        return dataclasses.replace(granted, seconds=seconds)
