"""What agents may do for users."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from portico_contracts.generated.portico.management.v1 import agent_service_pb2 as pb
from portico_contracts.generated.portico.management.v1 import app_access_service_pb2 as app_access_service_pb
from portico_contracts.users import ClientKind
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.permissions import Permission
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.journal.command import PATIENCE
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.outside_servers.server import MongoOutsideServers
from portico_users.sessions.agent_ledger import AgentEntry, AgentLedger, Shown, Wanted, names_of
from portico_users.sessions.agent_uses import AgentUse
from portico_users.sessions.commands.end_agents import EndAgents
from portico_users.storage.listing import Page

NOT_ONE = ErrorCode(
    "USER-908",
    Kind.INVALID_REQUEST,
    "Name either an agent or a host.",
    "Send client_id or host, and omit the other one.",
)
NO_AGENT = ErrorCode(
    "USER-909",
    Kind.NOT_FOUND,
    "No such agent may act for the user.",
    "List the agents. The access may have ended.",
)

_MOST_USES = 100
_MOST_OF_USER = 1_000
_AT_ONCE = 200
_LATEST_FIRST = "at"


class _Named(Protocol):
    client_id: str
    host: str


async def list_user_agents(
    call: Call[AnyUser],
    _request: pb.ListUserAgentsRequest,
    *,
    ledger: AgentLedger,
    apps: MongoApps,
    accounts: MongoAccounts,
    outside: MongoOutsideServers,
) -> pb.ListAgentAccessResponse:
    wanted = Wanted(None, user_id=call.target.subject.id)
    total, found = await ledger.list_page(wanted, _first(_MOST_OF_USER))
    return _response(total, found, await names_of(found, apps, accounts, outside))


async def end_user_agents(
    call: Call[AnyUser], request: pb.EndUserAgentsRequest, *, ledger: AgentLedger, end: EndAgents
) -> pb.EndAgentsResponse:
    user_id = call.target.subject.id
    wanted = _named(request)._replace(user_id=user_id)
    _, found = await ledger.list_page(wanted, _first(_MOST_OF_USER))
    if not found:
        raise NO_AGENT.error()
    ended = await end(user_id, tuple(dict.fromkeys(one.client_id for one in found)), actor=call.caller.user_id)
    return pb.EndAgentsResponse(ended=ended.entries, grants=ended.grants)


async def list_agents(
    call: Call[Org],
    request: pb.ListAgentsRequest,
    *,
    ledger: AgentLedger,
    apps: MongoApps,
    accounts: MongoAccounts,
    outside: MongoOutsideServers,
) -> pb.ListAgentAccessResponse:
    wanted = Wanted(
        (call.target.subject.id,), request.user_id, request.client_id, request.host.lower(), request.api_client_id
    )
    total, found = await ledger.list_page(wanted, page_of(request.query, _LATEST_FIRST))
    return _response(total, found, await names_of(found, apps, accounts, outside))


async def end_agents(
    call: Call[Org], request: pb.EndAgentsRequest, *, ledger: AgentLedger, end: EndAgents
) -> pb.EndAgentsResponse:
    """Ends some, and begins no more after a while: `remaining` is for the next call."""
    wanted = _named(request)._replace(org_ids=(call.target.subject.id,))
    now = asyncio.get_running_loop().time
    response, until = pb.EndAgentsResponse(), now() + PATIENCE
    while True:
        total, found = await ledger.list_page(wanted, _first(_AT_ONCE))
        response.remaining = total
        if not found or now() > until:
            return response
        agents: dict[str, dict[str, None]] = {}
        for one in found:
            agents.setdefault(one.user_id, {})[one.client_id] = None
        ended = await end.of_all(agents, actor=call.caller.user_id)
        response.ended += ended.entries
        response.grants += ended.grants


async def list_app_agents(
    call: Call[App],
    request: pb.ListAppAgentsRequest,
    *,
    ledger: AgentLedger,
    apps: MongoApps,
    accounts: MongoAccounts,
    outside: MongoOutsideServers,
) -> pb.ListAgentAccessResponse:
    app, caller = call.target.subject, call.caller
    all_orgs = Permission.SESSION_READ in caller.everywhere
    everybody = Wanted(None, api=app.client_id) if app.kind is ClientKind.API else Wanted(None, client_id=app.client_id)
    wanted = everybody if all_orgs else everybody._replace(org_ids=caller.orgs_where(Permission.SESSION_READ))
    total, found = await ledger.list_page(wanted, page_of(request.query, _LATEST_FIRST))
    hidden = 0 if all_orgs else await ledger.count(everybody) - total
    return _response(total, found, await names_of(found, apps, accounts, outside), hidden=max(hidden, 0))


def _first(limit: int) -> Page:
    return Page(0, limit, _LATEST_FIRST, ascending=False)


def _named(request: _Named) -> Wanted:
    if bool(request.client_id) == bool(request.host):
        raise NOT_ONE.error()
    return Wanted(None, client_id=request.client_id, host=request.host.lower())


def _response(total: int, found: Sequence[AgentEntry], shown: Shown, *, hidden: int = 0) -> pb.ListAgentAccessResponse:
    result = [_message(one, shown) for one in found]
    return pb.ListAgentAccessResponse(details=details_of_list(total), result=result, hidden=hidden)


def _message(one: AgentEntry, shown: Shown) -> pb.AgentAccess:
    app, allowed = shown.apps.get(one.client_id), one.allowed
    times = [use.at for use in one.uses]
    return pb.AgentAccess(
        user_id=one.user_id,
        user_name=shown.names.get(one.user_id, ""),
        user_org_id=one.user_org_id,
        client_id=one.client_id,
        name=app.name if app else "",
        app_id=app.id if app else "",
        project_id=app.project_id if app else "",
        org_id=app.org_id if app else "",
        host=host_of_client_id(one.client_id),
        rule=_rule_of(one),
        since=timestamp_of(one.since),
        allowed=timestamp_of(allowed.at) if allowed else None,
        scopes=allowed.scopes if allowed else (),
        api_scopes=[
            app_access_service_pb.AllowedApiScope(
                scope=scope.scope, api_client_id=scope.api, api_name=_name_of(scope.api, shown)
            )
            for scope in (allowed.of_apis if allowed else ())
        ],
        last_used=timestamp_of(max(times)) if times else None,
        uses=[_use(use, shown) for use in one.uses[:_MOST_USES]],
        actor_id=one.actor,
        actor_name=shown.names.get(one.actor, ""),
        server_id=one.server,
        server_name=shown.servers.get(one.server, ""),
        idp_id=one.provider,
    )


def _rule_of(one: AgentEntry) -> pb.AgentRule:
    if one.provider:
        return pb.AGENT_RULE_ASSERTION
    if one.server:
        return pb.AGENT_RULE_OUTSIDE_SERVER
    return pb.AGENT_RULE_CONSENT if one.allowed else pb.AGENT_RULE_ADMINISTRATOR


def _use(use: AgentUse, shown: Shown) -> pb.AgentUse:
    return pb.AgentUse(
        api_client_id=use.api,
        api_name=_name_of(use.api, shown),
        via_client_id=use.via,
        via_name=_name_of(use.via, shown),
        scopes=use.scope,
        last_used=timestamp_of(use.at),
    )


def _name_of(client_id: str, shown: Shown) -> str:
    app = shown.apps.get(client_id)
    return app.name if app else ""
