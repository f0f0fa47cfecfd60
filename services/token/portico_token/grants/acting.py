"""Acting for a user (RFC 8693 section 1.1): a user with a permission gets a token for another one (decision 0096).

users decides, logs and notifies. The token has its own grant without a session, at most an hour, and `act`
names the actor. Neither such a token nor one of an exchange is an actor_token: no user acts through a third one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import ACT_FOR_USER, ActForUser, Client
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import bucket_of, new_opaque
from portico_oauth.token_types import ACCESS_TOKEN

from portico_token.active_tokens import ActiveToken
from portico_token.domain.audience import projects_of_audience
from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin
from portico_token.grants.exchange_target import ACCESS_DENIED_BY_PROJECT, find_target, granted_scope
from portico_token.grants.permitted_scope import permitted_scope
from portico_token.grants.protocol import GrantDependencies
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import AccessTokenSpec, IdTokenSpec, NewGrant

LONGEST_SECONDS: Final = 3_600

MAX_USER_ID: Final = 200

INVALID_ACTOR = ErrorCode(
    "TOKEN-285",
    Kind.INVALID_REQUEST,
    "The actor_token is missing, not active, or not for this client.",
    "Send an active access token of the acting user from a sign-in to this client, and its type in actor_token_type.",
)
NO_SCOPE = ErrorCode(
    "TOKEN-286",
    Kind.INVALID_REQUEST,
    "A token for another user needs a scope.",
    "Send the scope that is needed, such as openid.",
)


async def act_for_user(
    dependencies: GrantDependencies, parameters: Mapping[str, str], caller: Client, scope: tuple[str, ...] | None
) -> NewGrant:
    # Before the decision: a user who is locked meanwhile gets no grant.
    now = dependencies.clock.now()
    actor = await _actor(dependencies, parameters, caller)
    if scope is None:
        raise NO_SCOPE.error(compared=Compared("scope", hint=Hint.MISSING))
    user_id = parameters["subject_token"][: MAX_USER_ID + 1]
    target = await find_target(
        dependencies.users_client, caller, parameters.get("audience"), requested_resources(parameters)
    )
    await _ask(dependencies, actor, user_id, caller, only_asked=True)
    if not await dependencies.users.has_project_access(user_id, caller):
        raise ACCESS_DENIED_BY_PROJECT.error(user=user_id, compared=Compared("grant"))
    permitted = await permitted_scope(dependencies, scope, caller, user_id, resources=(), roles_at=target.apis)
    granted = granted_scope(scope, permitted, target)
    await _ask(dependencies, actor, user_id, caller, only_asked=False)
    grant = Grant(
        id=new_opaque(bucket_of(user_id), dependencies.random, 128),
        user_id=user_id,
        client_id=caller.client_id,
        audience=target.audience,
        scope=granted,
        session_id="",
        auth_time=int(now),
        amr=(),
        acr="",
        created=now,
        actor=actor.user_id,
    )
    projects = projects_of_audience(target.audience, caller, permitted.audiences)
    access_token = AccessTokenSpec(
        audience=target.audience, scope=granted, role_projects=projects, seconds=LONGEST_SECONDS
    )
    return NewGrant(grant=grant, client=caller, access_token=access_token, id_token=IdTokenSpec(scope=granted))


async def _actor(dependencies: GrantDependencies, parameters: Mapping[str, str], caller: Client) -> ActiveToken:
    """Returns the token of a user who signed in; raises TOKEN-285."""
    text, kind = parameters.get("actor_token"), parameters.get("actor_token_type")
    actor = await dependencies.active_tokens.find(text) if text and kind == ACCESS_TOKEN else None
    if (
        actor is None
        or caller.client_id not in actor.audience
        or actor.origin is not Origin.SIGN_IN
        or actor.is_exchanged
    ):
        wanted = ("an active access token of a sign-in, for this client",)
        raise INVALID_ACTOR.error(client=caller.client_id, compared=Compared("grant", wanted=wanted))
    return actor


async def _ask(
    dependencies: GrantDependencies, actor: ActiveToken, user_id: str, caller: Client, *, only_asked: bool
) -> None:
    ask = ActForUser(actor_id=actor.user_id, user_id=user_id, client_id=caller.client_id, only_asked=only_asked)
    try:
        await dependencies.bus.call(ACT_FOR_USER, ask)
    except ServiceError as error:
        error.compared = Compared("grant")
        raise
