"""refresh_token (RFC 6749 section 6, RFC 9700 section 4.14).

Another client's token, and one that is bound to another key, are rejected before any other check (TK-05); a used token revokes its grant (TK-09),
except within the grace period for retries; the scope may be part of that requested at sign-in, never wider,
and a wider one does not consume the token (TK-13). The access checks of the project are repeated. The script
that stores the successor consumes the token, after everything that may fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from portico_contracts.diagnostics import Hint
from portico_oauth import grant_types
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import fingerprint
from portico_oauth.parameters import RESOURCE
from portico_oauth.scopes import own_name

from portico_token.domain.claims import RequestedClaims
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import FoundRefreshToken, Grant, may_be_used
from portico_token.domain.token_text import grant_id_in
from portico_token.dpop.errors import REFRESH_BOUND, refused
from portico_token.grants.consent import require_consent
from portico_token.grants.permitted_scope import compare_scope, permitted_scope
from portico_token.grants.protocol import GrantType, ScopePolicy
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import IdTokenSpec, RefreshedGrant

NO_REFRESH_TOKEN = ErrorCode(
    "TOKEN-120",
    Kind.INVALID_REQUEST,
    "The refresh_token is missing.",
    "Send the refresh_token of the last token response.",
)
INVALID_REFRESH_TOKEN = ErrorCode(
    "TOKEN-121",
    Kind.INVALID_GRANT,
    "The refresh token is invalid, expired or already used.",
    "Use the refresh token of the last response, once. Otherwise have the user sign in again.",
)
SCOPE_WIDER = ErrorCode(
    "TOKEN-122",
    Kind.INVALID_SCOPE,
    "The scope is wider than the one requested at sign-in, or none of it was granted.",
    "Omit the scope, or request a part of what was requested at sign-in.",
)
ACCESS_DENIED_BY_PROJECT = ErrorCode(
    "TOKEN-123",
    Kind.INVALID_GRANT,
    "The user may no longer use this application.",
    "Grant the user a role in the project, or grant the project to the user's organization.",
)


class RefreshToken(GrantType):
    """Exchanges a refresh token for its successor and new tokens."""

    grant_type: ClassVar[str] = grant_types.REFRESH_TOKEN
    parameters: ClassVar[frozenset[str]] = frozenset({"refresh_token", RESOURCE})
    scope: ClassVar[ScopePolicy] = ScopePolicy.OPTIONAL

    async def is_bound(self, form: Mapping[str, str], client: AuthenticatedClient) -> bool:
        text = form.get("refresh_token", "")
        found = await self._find(text, fingerprint(text), client.client.client_id)
        return found is not None and bool(found.grant.jkt)

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> RefreshedGrant:
        text = parameters.get("refresh_token")
        if text is None:
            raise NO_REFRESH_TOKEN.error(compared=Compared("grant", hint=Hint.MISSING))
        presented, resources = fingerprint(text), requested_resources(parameters)
        found = await self._find(text, presented, client.client.client_id)
        if found is None:
            raise invalid_refresh_token(client=client.client.client_id)
        if found.grant.jkt and found.grant.jkt != client.jkt:
            raise refused(REFRESH_BOUND, wanted=("a proof of the key of the first token request",))
        grace = client.client.refresh_token_grace_seconds
        if not may_be_used(found.refresh, presented, int(self._dependencies.clock.now()), grace):
            if found.spent:
                await self._dependencies.compromised_grants.revoke(
                    found.grant.id, found.grant.client_id, found.grant.user_id
                )
            raise invalid_refresh_token(is_spent=found.spent, grant=found.grant.id, spent=found.spent)
        grant = found.grant
        granted = grant.scope if scope is None else _granted(scope, grant)
        current = await self._dependencies.users_client.current(client.client, grant)
        if current is None:
            raise invalid_refresh_token(client=client.client.client_id)
        if not await self._dependencies.users.has_project_access(grant.user_id, current, found.version):
            raise ACCESS_DENIED_BY_PROJECT.error(grant=grant.id, compared=Compared("grant"))
        wanted = (*grant.scope, *RequestedClaims(grant.userinfo_claims, grant.id_token_claims).scopes)
        await require_consent(self._dependencies, current, grant.user_id, wanted, grant.resources, found.version)
        permitted = await permitted_scope(
            self._dependencies, granted, current, grant.user_id, found.version, resources=grant.resources
        )
        return RefreshedGrant(
            grant=grant,
            client=current,
            access_token=permitted.narrowed_to(resources).access_token(current, permitted.words),
            id_token=IdTokenSpec(scope=permitted.words),
            version=found.version,
            left_out=permitted.left_out,
            presented=presented,
            current=found.refresh,
            grace=grace,
        )

    async def _find(self, text: str, presented: str, client_id: str) -> FoundRefreshToken | None:
        """None for one that is unknown or of another client."""
        grant_id = grant_id_in(text)
        found = await self._dependencies.grants.find_refresh(grant_id, presented) if grant_id else None
        return found if found is not None and found.grant.client_id == client_id else None


def invalid_refresh_token(*, is_spent: bool = False, **private: Any) -> ServiceError:
    """The error for a refresh token that may not be used; `is_spent` where it was used before."""
    wanted = ("the refresh token of the last response",)
    compared = Compared("grant", wanted=wanted, hint=Hint.USED_BEFORE if is_spent else "")
    return INVALID_REFRESH_TOKEN.error(compared=compared, **private)


def _granted(requested: tuple[str, ...], grant: Grant) -> tuple[str, ...]:
    """Returns the granted words; raises TOKEN-122 if the scope is wider than at sign-in, or none was granted."""
    permitted = {*map(own_name, grant.scope)}
    granted = tuple(word for word in requested if own_name(word) in permitted)
    if not granted or not {*map(own_name, requested)} <= {*permitted, *map(own_name, grant.dropped_scope)}:
        raise SCOPE_WIDER.error(grant=grant.id, compared=compare_scope(" ".join(requested)))
    return granted
