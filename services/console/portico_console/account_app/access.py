from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final

from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, led_to, showing, shown_app
from portico_console.allowed_scopes import shown_allowed
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_OF: Final = "portico.management.v1.AppAccessService"
_AGENTS: Final = "portico.management.v1.AgentService"
_STOPPED: Final = message("%(name)s can no longer act for you.")
_HOST_STOPPED: Final = message("No agent of %(host)s can act for you now.")
_REVOKED: Final = message("%(name)s no longer has access to your account.")


async def show_access(ctx: RequestContext, refused: Refused | None) -> Response:
    """Lists the applications with access; the account page itself cannot be removed, because logout does that."""
    user = {"userId": ctx.session.sub}
    found, agents = await asyncio.gather(
        ctx.api.call(f"{_OF}/ListUserAppAccess", user), ctx.api.call(f"{_AGENTS}/ListUserAgents", user)
    )
    shown = [_agent(one) for one in agents.get("result", [])]
    of_agents = {one["clientId"] for one in shown}
    apps: list[dict[str, Any]] = [one for one in found.get("result", []) if one["clientId"] not in of_agents]
    for one in apps:
        one["name"] = shown_app(ctx, one["clientId"], one.get("name", ""))
        one["allowedScopes"] = shown_allowed(one)
    hosts = Counter(one["host"] for one in shown if one.get("host"))
    several = sorted(host for host, agents_of_it in hosts.items() if agents_of_it > 1)
    return account_page(ctx, "access.html", "access", refused, apps=apps, agents=shown, hosts=several)


def _agent(found: dict[str, Any]) -> Fields:
    uses: list[dict[str, Any]] = found.get("uses", [])
    allowed = {"allowedScopes": found.get("scopes", []), "allowedApiScopes": found.get("apiScopes", [])}
    shown = {
        **found,
        "allowedScopes": shown_allowed(allowed),
        "apis": list(dict.fromkeys(one["apiName"] for one in uses if one.get("apiName"))),
        "via": list(dict.fromkeys(one["viaName"] for one in uses if one.get("viaName"))),
    }
    return Fields(shown)


async def _end(ctx: RequestContext, typed: Parameters) -> Response:
    await ctx.api.call(f"{_OF}/RemoveUserAppAccess", {"userId": ctx.session.sub, "clientId": typed.get("id", "")})
    return await led_to(ctx, "access", _REVOKED, name=typed.get("name", ""))


async def _end_agents(ctx: RequestContext, typed: Parameters) -> Response:
    named = {key: value for key, value in (("clientId", typed.get("id")), ("host", typed.get("host"))) if value}
    await ctx.api.call(f"{_AGENTS}/EndUserAgents", {"userId": ctx.session.sub, **named})
    if host := typed.get("host", ""):
        return await led_to(ctx, "access", _HOST_STOPPED, host=host)
    return await led_to(ctx, "access", _STOPPED, name=typed.get("name", ""))


PAGES: Final = (
    PageRow("/access", showing(show_access), acting("access", show_access, _end)),
    PageRow("/access/agents", None, acting("agents", show_access, _end_agents, at="access")),
)
