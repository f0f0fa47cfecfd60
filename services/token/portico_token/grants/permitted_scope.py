"""The part of a scope that a client may have: a scope alone gives no right in other organizations."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.authz import CodeGrant
from portico_contracts.users import Api, Client, Target, targets_of
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.scopes import METADATA, OFFLINE_ACCESS, STANDARD, asks_for, of_apis, own_name
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_words

from portico_token.domain.audience import (
    Audiences,
    audience_of,
    audience_of_targets,
    projects_of_audience,
    scope_of_targets,
    with_roles,
    without_other_projects,
    without_unknown,
)
from portico_token.domain.claims import requested_claims
from portico_token.domain.grants import Grant
from portico_token.grants.protocol import GrantDependencies
from portico_token.grants.requested_resources import find_targets, resource_refused
from portico_token.grants.results import AccessTokenSpec
from portico_token.grants.role_scopes import with_words, withheld_scopes

INVALID_SCOPE = ErrorCode(
    "TOKEN-141",
    Kind.INVALID_SCOPE,
    "The scope is malformed or contains an unknown word.",
    "Send documented scopes, separated by spaces.",
)


class PermittedScope(NamedTuple):
    """What is left of a scope, and of the resources named at sign-in (`targets`).

    `withheld` are words for which the user has no role; `apis` are those that the requested scope names.
    """

    words: tuple[str, ...]
    audiences: Audiences
    apis: tuple[Api, ...]
    left_out: tuple[str, ...]
    targets: tuple[Target, ...] = ()
    withheld: tuple[str, ...] = ()

    def narrowed_to(self, resources: tuple[str, ...]) -> PermittedScope:
        """For some of the resources; raises TOKEN-292 for others. Without any, all that were named at sign-in."""
        if not resources:
            return self
        targets = find_targets(resources, self.apis)
        if self.targets and not {*targets} <= {*self.targets}:
            raise resource_refused(resources, self.targets)
        return self._replace(targets=targets)

    def audience(self, client: Client) -> tuple[str, ...]:
        if self.targets:
            return audience_of_targets(self.targets)
        apis = with_words(self.apis, self.words) if self.withheld else self.apis
        return audience_of(client, self.words, self.audiences, apis)

    def access_token(self, client: Client, scope: tuple[str, ...]) -> AccessTokenSpec:
        """With the granted scope; for resources only what their APIs define (decision 0092), and their roles."""
        audience = self.audience(client)
        projects = projects_of_audience(audience, client, self.audiences)
        if not self.targets:
            return AccessTokenSpec(audience=audience, scope=scope, role_projects=projects)
        narrowed = with_roles(scope_of_targets(self.words, self.targets), self.words, projects)
        return AccessTokenSpec(audience=audience, scope=narrowed, role_projects=projects, for_resources=True)


async def permitted_scope(
    dependencies: GrantDependencies,
    scope: tuple[str, ...],
    client: Client,
    user_id: str,
    version: str | None = None,
    *,
    resources: tuple[str, ...],
    roles_at: tuple[Api, ...] | None = None,
) -> PermittedScope:
    """Removes projects and APIs the client may not name, metadata of users of organizations without the project, and
    scopes that need a role.

    The roles count at the APIs that the scope names, or at `roles_at`. Raises TOKEN-292 if the client may no longer name
    any of the resources.
    """
    users_client = dependencies.users_client
    audiences = await users_client.audiences_of(scope, client)
    targets = targets_of(resources, await users_client.all_apis_of(client)) if resources else ()
    if resources and not targets:
        raise resource_refused(resources, ())
    if targets:
        apis = tuple(dict.fromkeys(target.api for target in targets))
    else:
        apis = await users_client.apis_of(scope, client) if of_apis(scope) else ()
    words = without_unknown(without_other_projects(scope, audiences), apis)
    if asks_for(words, METADATA) and not await dependencies.users.are_of_project(user_id, client, version):
        words = tuple(word for word in words if own_name(word) != METADATA)
    withheld: tuple[str, ...] = ()
    limiting = apis if roles_at is None else roles_at
    for api in limiting:
        if api.role_scopes:
            withheld = await withheld_scopes(dependencies.users, words, limiting, user_id, version)
            words = tuple(word for word in words if word not in withheld)
            break
    left_out = tuple(word for word in scope if word not in words)
    return PermittedScope(words, audiences, apis, left_out, targets, withheld)


def compare_scope(text: str) -> Compared:
    """Diagnostics of a refused scope."""
    return Compared("scope", shown_words(text, STANDARD), STANDARD[:MOST_WANTED])


def grant_of_sign_in(signed_in: CodeGrant, client: Client, permitted: PermittedScope, now: float) -> Grant:
    """Uses the client as registered now; omits offline_access if it may not use refresh tokens."""
    if REFRESH_TOKEN not in client.grant_types:
        permitted = permitted._replace(words=without_offline_access(permitted.words))
    scope = permitted.words
    claims = requested_claims(signed_in.claims)
    return Grant(
        id=signed_in.grant_id,
        user_id=signed_in.user_id,
        client_id=signed_in.client_id,
        audience=permitted.audience(client),
        scope=scope,
        session_id=signed_in.session_id,
        auth_time=signed_in.auth_time,
        auth_time_proven=signed_in.auth_time_proven,
        session_began=signed_in.session_began,
        amr=signed_in.amr,
        acr=signed_in.acr,
        created=now,
        userinfo_claims=claims.userinfo,
        id_token_claims=claims.id_token,
        dropped_scope=tuple(word for word in (*signed_in.scope, *signed_in.dropped_scope) if word not in scope),
        resources=signed_in.resources,
        client_org_id=signed_in.client_org_id if host_of_client_id(signed_in.client_id) else "",
    )


def without_offline_access(scope: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in scope if word != OFFLINE_ACCESS)
