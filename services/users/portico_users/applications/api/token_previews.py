"""What a user would get at an application, as token computes it (decision 0141)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from google.protobuf.struct_pb2 import Struct
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb
from portico_contracts.generated.portico.management.v1 import claim_rule_pb2 as rules_pb
from portico_contracts.token import PREVIEW_TOKENS, AppliedClaimRule, PreviewTokens, TokensPreviewed
from portico_contracts.users import NotGiven
from portico_oauth.scopes import split

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.permissions import Permission
from portico_users.applications.app_record import OIDC_APP, App
from portico_users.applications.previewed_roles import AllRoles, PreviewedRoles
from portico_users.applications.rules import problems_of
from portico_users.applications.store import AppQueries
from portico_users.bus import Bus
from portico_users.management_api.protobuf.messages import MessageValues
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.targets import USER_NOT_FOUND
from portico_users.projects.claim_rules import INVALID_SCOPE, applied
from portico_users.projects.store import MongoProjects
from portico_users.values.problems import at, below, refuse_first
from portico_users.values.records import State

_USUAL: Final = "openid profile email"


async def preview_tokens(
    call: Call[App],
    request: pb.PreviewTokensRequest,
    *,
    accounts: MongoAccounts,
    projects: MongoProjects,
    queries: AppQueries,
    previewed: PreviewedRoles,
    bus: Bus,
) -> pb.PreviewTokensResponse:
    app = call.target.subject
    user = await _readable_user(call, request.user_id, accounts)
    scope = split(request.scope or _USUAL)
    if not scope:
        raise at("scope", INVALID_SCOPE.error())
    wanted: list[tuple[App, AllRoles | None]] = [(app, None)]
    if request.HasField("change") or request.roles:
        changed = _changed(app, request)
        wanted.append((changed, await previewed.of(app, request.roles) if request.roles else None))
    project = await projects.find(app.project_id)
    found = []
    for one, roles in wanted:
        client = (await queries.client_of(one)).client
        rules = client.claim_rules if client else ()
        ask = PreviewTokens(
            user_id=user.id, client_id=app.client_id, scope=tuple(scope), claim_rules=rules, roles=roles
        )
        stated = applied(project.claim_rules if project else (), one.claim_rules)
        unusable = [
            AppliedClaimRule(claim=rule.claim, of_project=rule.of_project, reason=NotGiven.ANOTHER_PROJECT)
            for rule in stated
            if rule not in rules
        ]
        found.append(_message(await bus.call(PREVIEW_TOKENS, ask), unusable))
    return pb.PreviewTokensResponse(current=found[0], changed=found[1] if len(found) > 1 else None)


def _changed(app: App, request: pb.PreviewTokensRequest) -> App:
    if not request.HasField("change"):
        return app
    changed = OIDC_APP.changed(app, MessageValues(request.change))
    with below("change"):
        refuse_first(problems_of(changed))
    return changed


async def _readable_user(call: Call[App], user_id: str, accounts: MongoAccounts) -> AnyUser:
    """Raises USER-315 alike for an unknown user and for one that the caller may not read."""
    user = await accounts.find(user_id)
    if user is None or user.state is State.DELETED or not call.caller.may(Permission.USER_READ, user.org_id):
        raise USER_NOT_FOUND.error()
    return user


def _message(found: TokensPreviewed, unusable: Iterable[AppliedClaimRule]) -> rules_pb.TokenPreview:
    contents = {
        name: _struct(text)
        for name in ("id_token", "access_token", "userinfo", "introspection")
        if (text := getattr(found, name))
    }
    return rules_pb.TokenPreview(
        scopes=found.scope,
        dropped_scopes=[
            rules_pb.DroppedScope(
                scope=one.scope,
                reason=f"SCOPE_REASON_{one.reason.value.upper()}",
                roles=one.roles,
                project_id=one.project_id,
            )
            for one in found.dropped
        ],
        claim_rules=[_rule(one) for one in (*found.rules, *unusable)],
        token_hook_id=found.token_hook,
        **contents,
    )


def _rule(rule: AppliedClaimRule) -> rules_pb.AppliedClaimRule:
    return rules_pb.AppliedClaimRule(
        claim=rule.claim,
        of_project=rule.of_project,
        places=[f"CLAIM_PLACE_{place.value.upper()}" for place in rule.places],
        reason=f"CLAIM_REASON_{rule.reason.value.upper()}" if rule.reason else None,
    )


def _struct(text: str) -> Struct:
    struct = Struct()
    struct.update(json.loads(text))
    return struct
