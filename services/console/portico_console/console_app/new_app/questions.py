from __future__ import annotations

from collections.abc import Mapping

from portico_oauth.errors import ServiceError
from portico_oauth.redirect_uris import MAX_LENGTH
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.new_app.kinds import KINDS, AppKind, find_kind
from portico_console.console_app.new_app.redirect_advice import Advice, advise
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

NEW_PROJECT = "new"


async def show_questions(ctx: RequestContext) -> Response:
    kind = find_kind(ctx.request.query_params.get("kind", ""))
    if kind is None:
        return framed(ctx, "new_app.html", await load_frame(ctx), "new", kinds=KINDS)
    if kind.word == "machine":
        ctx.require_recent("portico.management.v1.ServiceUserService/GenerateMachineSecret")
    return await show_form(ctx, kind, await ctx.typed_before())


async def show_form(
    ctx: RequestContext,
    kind: AppKind,
    typed: Mapping[str, str] | None = None,
    error: ServiceError | None = None,
    problems: Fields | None = None,
) -> Response:
    org_id = ctx.path["org"]
    projects = []
    if kind.word != "machine":
        found = await ctx.api.call(
            "portico.management.v1.ProjectService/ListProjects", {"query": {"limit": 100, "asc": True}}, org=org_id
        )
        projects = found.get("result", [])
    values = Fields(typed or {})
    return framed(
        ctx,
        "new_app_form.html",
        await load_frame(ctx),
        "new",
        kind=kind,
        projects=projects,
        new_project=NEW_PROJECT,
        frameworks=kind.frameworks(),
        values=values,
        advices=advices_of(values.get("redirect_uris", "")),
        status=error.rendering.status if error else 200,
        problem=ctx.text_of(error) if error else "",
        problems=problems or Fields(),
    )


def addresses_in(text: str) -> list[str]:
    return [line for line in map(trimmed, text.splitlines()) if line]


def advices_of(text: str) -> list[tuple[str, Advice]]:
    return [(uri[:MAX_LENGTH], advise(uri)) for uri in addresses_in(text)[:100]]
