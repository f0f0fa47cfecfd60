"""The page of the trusted workloads of a service user or an application, and its form (decision 0152)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.actions import do_action, show_action
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.reading import read_object
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.screens.tables.workloads import SCREENS
from portico_console.console_app.workloads.templates import BY_WORD, TEMPLATES, Template
from portico_console.forms.words import word
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_EXACT: Final = "CONDITION_MATCH_EXACT"
TEMPLATE: Final = "template"


async def show_workloads(screen: Screen, ctx: RequestContext) -> Response:
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_object(ctx, screen))
        above = group.create_task(crumbs(ctx, screen))
        naming = group.create_task(_client_id(ctx))
    found, [action] = reading.result(), screen.actions
    workloads: Sequence[Mapping[str, Any]] = found.get("trustedWorkloads", ())
    used = {one["name"]: one["time"] for one in found.get("lastUses", ())}
    client_id = naming.result()
    return framed(
        ctx,
        "workloads.html",
        frame,
        "machines" if "user" in ctx.path else "applications",
        screen=screen,
        crumbs=above.result(),
        base=address(ctx, screen.object_path),
        workloads=[_shown(one, used) for one in workloads],
        refused=found.get("lastRefused"),
        may_change=frame.may_call(action.method),
        templates=[(one, one.code_for(ctx.issuer, client_id)) for one in TEMPLATES],
    )


def _shown(workload: Mapping[str, Any], used: Mapping[str, str]) -> dict[str, Any]:
    conditions: Sequence[Mapping[str, Any]] = workload.get("conditions", ())
    return {
        "name": workload.get("name", ""),
        "issuer": workload.get("issuer", ""),
        "audience": workload.get("audience", ""),
        "conditions": [(one["claim"], word(one.get("match", _EXACT)), one["value"]) for one in conditions],
        "has_keys": bool(workload.get("keySet")),
        "used": used.get(workload.get("name", ""), ""),
    }


async def _client_id(ctx: RequestContext) -> str:
    if "user" in ctx.path:
        return ctx.path["user"]
    app = await read_object(ctx, BY_KEY["apps"])
    client_id: str = (app.get("oidcConfig") or app.get("apiConfig") or {}).get("clientId", "")
    return client_id


async def show_form(screen: Screen, ctx: RequestContext) -> Response:
    """The form with the stored entries, and one of the template that the address names."""
    template = BY_WORD.get(ctx.request.query_params.get(TEMPLATE, ""))
    return await show_action(screen, ctx, made=False, adapted=partial(with_template, template))


def with_template(template: Template | None, thing: Mapping[str, Any]) -> Mapping[str, Any]:
    if template is None:
        return thing
    stored: Sequence[Any] = thing.get("trustedWorkloads", ())
    return {**thing, "trustedWorkloads": [*stored, template.workload]}


WORKLOAD_PAGES: Final = tuple(
    row
    for screen in SCREENS
    for row in (
        PageRow(screen.path, partial(show_workloads, screen)),
        PageRow(f"{screen.path}/do/{{action}}", partial(show_form, screen), partial(do_action, screen, made=False)),
    )
)
