"""The APIs that an application may use, and those of them whose scopes its finished code requests."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final, NamedTuple

from portico_snippets.rendering import Application

from portico_console.console_app.rights import Frame
from portico_console.request_context import RequestContext, segment

_LIST: Final = "portico.management.v1.AppService/ListAppAPIs"

CHOSEN: Final = "chosen"
"""Distinguishes a form in which no API is ticked from a page without a choice."""

TICKED: Final = "api"

_MOST_AT_FIRST: Final = 20
"""Scopes that are requested without a choice; the APIs of a large project are chosen one by one."""


class UsableApi(NamedTuple):
    """`place` is the project, or the other organization that granted it; without `href`, its page is not here."""

    client_id: str
    name: str
    place: str
    href: str
    scopes: tuple[str, ...]
    resources: tuple[str, ...]
    chosen: bool


async def usable_apis(ctx: RequestContext, frame: Frame) -> list[UsableApi]:
    """Returns none without the permission. At first, those of the organization are chosen."""
    if not frame.may_call(_LIST):
        return []
    fields = {"projectId": ctx.path["project"], "appId": ctx.path["app"]}
    found = (await ctx.api.call(_LIST, fields, org=ctx.path["org"])).get("result", ())
    own = [one for one in found if _is_here(ctx, one)]
    query = ctx.request.query_params
    if CHOSEN in query:
        chosen: Collection[str] = query.getlist(TICKED)
    else:
        few = sum(len(one.get("scopes", ())) for one in own) <= _MOST_AT_FIRST
        chosen = [one["clientId"] for one in own] if few else ()
    return [_usable(ctx, one, chosen) for one in found]


def asking(application: Application, apis: Collection[UsableApi]) -> Application:
    """Adds the scopes of the chosen APIs, and the resource of a single one: with several, the scopes name them."""
    chosen = [one for one in apis if one.chosen]
    words = dict.fromkeys(scope for one in chosen for scope in one.scopes)
    resources = chosen[0].resources if len(chosen) == 1 else ()
    scope = " ".join([application.scope, *words])
    return replace(application, scope=scope, resource=resources[0] if resources else "")


def _is_here(ctx: RequestContext, api: Any) -> bool:
    return bool(api.get("orgId", "") == ctx.path["org"])


def _usable(ctx: RequestContext, api: Any, chosen: Collection[str]) -> UsableApi:
    project, app, here = api.get("projectId", ""), api.get("appId", ""), _is_here(ctx, api)
    href = f"{ctx.party.path}/orgs/{segment(ctx.path['org'])}/projects/{segment(project)}/apps/{segment(app)}"
    return UsableApi(
        api["clientId"],
        api.get("name", ""),
        api.get("projectName" if here else "orgName", ""),
        href if here else "",
        tuple(one["scope"] for one in api.get("scopes", ())),
        tuple(api.get("resources", ())),
        api["clientId"] in chosen,
    )
