"""The part of a scope that a client may have: a scope alone gives no right in other organizations."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.authz import CodeGrant
from portico_contracts.users import Api, Client
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.scopes import METADATA, OFFLINE_ACCESS, STANDARD, of_apis
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_words

from portico_token.cached_users import CachedUsers
from portico_token.domain.audience import Audiences, audience_of, without_other_projects, without_unknown
from portico_token.domain.claims import requested_claims
from portico_token.domain.grants import Grant
from portico_token.users_client import UsersClient

INVALID_SCOPE = ErrorCode(
    "TOKEN-141",
    Kind.INVALID_SCOPE,
    "The scope is malformed or contains an unknown word.",
    "Send documented scopes, separated by spaces.",
)


class PermittedScope(NamedTuple):
    words: tuple[str, ...]
    audiences: Audiences
    apis: tuple[Api, ...]
    left_out: tuple[str, ...]


async def permitted_scope(
    users_client: UsersClient,
    users: CachedUsers,
    scope: tuple[str, ...],
    client: Client,
    user_id: str,
    version: str | None = None,
) -> PermittedScope:
    """Removes projects and APIs the client may not name, and metadata of users of organizations without the project."""
    audiences = await users_client.audiences_of(scope, client)
    apis = await users_client.apis_of(scope, client) if of_apis(scope) else ()
    words = without_unknown(without_other_projects(scope, audiences), apis)
    if METADATA in words and not await users.are_of_project(user_id, client, version):
        words = tuple(word for word in words if word != METADATA)
    return PermittedScope(words, audiences, apis, tuple(word for word in scope if word not in words))


def compare_scope(text: str) -> Compared:
    """Diagnostics of a refused scope."""
    return Compared("scope", shown_words(text, STANDARD), STANDARD[:MOST_WANTED])


def grant_of_sign_in(signed_in: CodeGrant, client: Client, permitted: PermittedScope, now: float) -> Grant:
    """Uses the client as registered now; omits offline_access if it may not use refresh tokens."""
    scope = permitted.words
    if REFRESH_TOKEN not in client.grant_types:
        scope = without_offline_access(scope)
    claims = requested_claims(signed_in.claims)
    return Grant(
        id=signed_in.grant_id,
        user_id=signed_in.user_id,
        client_id=signed_in.client_id,
        audience=audience_of(client, scope, permitted.audiences, permitted.apis),
        scope=scope,
        session_id=signed_in.session_id,
        auth_time=signed_in.auth_time,
        auth_time_proven=signed_in.auth_time_proven,
        amr=signed_in.amr,
        acr=signed_in.acr,
        created=now,
        userinfo_claims=claims.userinfo,
        id_token_claims=claims.id_token,
        dropped_scope=tuple(word for word in (*signed_in.scope, *signed_in.dropped_scope) if word not in scope),
    )


def without_offline_access(scope: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in scope if word != OFFLINE_ACCESS)
