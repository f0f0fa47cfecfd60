"""Registers the redirect URI of a refused request, after a page that shows it: anyone can send such a request."""

from __future__ import annotations

from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.refusals.diagnostics import find_trace, unregistered_uri
from portico_console.console_app.rights import load_frame_around
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.reading import NOT_THERE
from portico_console.console_app.screens.requests import fields_stored
from portico_console.messages import message
from portico_console.request_context import RequestContext, segment

_APPS: Final = "portico.management.v1.AppService"
_UPDATE: Final = f"{_APPS}/UpdateOIDCAppConfig"
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

REGISTERED: Final = message("The redirect URI of %(name)s was registered.")


async def show_register_uri(ctx: RequestContext) -> Response:
    ctx.require_recent(_UPDATE)
    return await _page(ctx)


async def register_uri(ctx: RequestContext) -> Response:
    """The URI is that of the stored request, not of the form."""
    typed = await ctx.read_form()
    trace, uri = await _load(ctx)
    org, ids = trace["orgId"], {"projectId": trace["projectId"], "appId": trace["appId"]}
    app = (await ctx.api.call(f"{_APPS}/GetAppByID", ids, org=org))["app"]
    stored = fields_stored(_UPDATE, app["oidcConfig"])
    uris = list(dict.fromkeys((*stored.get("redirectUris", ()), uri)))
    try:
        async with ctx.keeping(typed):
            headers = {"if-match": f'"{app["details"]["sequence"]}"'}
            await ctx.api.call(_UPDATE, {**stored, **ids, "redirectUris": uris}, org=org, headers=headers)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _page(ctx, ctx.text_of(error), error.rendering.status)
    path = "/".join(segment(one) for one in (org, "projects", ids["projectId"], "apps", ids["appId"]))
    return await ctx.see_notice(f"{ctx.party.path}/orgs/{path}", REGISTERED, name=app["name"])


async def _load(ctx: RequestContext) -> tuple[Any, str]:
    """Raises CONS-261: there is no such request, or another reason refused it."""
    trace = await find_trace(ctx, ctx.path["id"])
    uri = unregistered_uri(trace, await load_frame_around(ctx, trace.get("orgId", ""))) if trace else ""
    if not uri:
        raise NOT_THERE.error()
    return trace, uri


async def _page(ctx: RequestContext, problem: str = "", status: int = 200) -> Response:
    trace, uri = await _load(ctx)
    frame = await load_frame_around(ctx, trace["orgId"])
    return framed(ctx, "refusals/register.html", frame, "requests", status=status, uri=uri, problem=problem)
