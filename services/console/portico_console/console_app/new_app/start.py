from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from portico_snippets.frameworks import Framework
from portico_snippets.rendering import Application, CodeUnavailable, Rendered, render
from starlette.responses import Response

from portico_console.console_app.new_app.kinds import METHODS, AppKind, kind_of
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_TRACES: Final = "portico.management.v1.TraceService"
_SHOWN: Final = 10
"""Maximum requests shown."""


async def show_start(ctx: RequestContext) -> Response:
    """Shows client id, the secret once, the configuration for a framework, and recent requests."""
    app = await _get_app(ctx)
    kind = kind_of(app)
    config = app["oidcConfig"] or app["apiConfig"]
    framework = _chosen(kind, ctx.request.query_params.get("framework", ""))
    once = ctx.request.query_params.get("once", "")
    shown = await ctx.sessions.take_to_show(ctx.session, once) if once else None
    code, unavailable = _configuration(ctx, framework, config)
    return framed(
        ctx,
        "app_start.html",
        await load_frame(ctx),
        "applications",
        app=app,
        kind=kind,
        client_id=config["clientId"],
        secret=(shown or {}).get("secret", ""),
        asked_once=bool(once),
        frameworks=kind.frameworks(),
        framework=framework,
        code=code,
        unavailable=unavailable,
        traces=await _diagnostics(ctx),
        waiting=f"{ctx.request.url.path.removesuffix('/start')}/waiting",
    )


async def show_waiting(ctx: RequestContext) -> Response:
    """Renders only the recent requests; polled by a script."""
    return ctx.page("console/app_waiting.html", frame=None, traces=await _diagnostics(ctx), waiting="")


async def show_service_user(ctx: RequestContext) -> Response:
    shown = await ctx.sessions.take_to_show(ctx.session, ctx.request.query_params.get("once", ""))
    return framed(
        ctx,
        "machine_start.html",
        await load_frame(ctx),
        "applications",
        user_id=ctx.path["user"],
        shown=Fields(shown or {}),
    )


async def _get_app(ctx: RequestContext) -> Fields:
    found = await ctx.api.call(
        "portico.management.v1.AppService/GetAppByID",
        {"projectId": ctx.path["project"], "appId": ctx.path["app"]},
        org=ctx.path["org"],
    )
    app: Fields = found["app"]
    return app


async def _diagnostics(ctx: RequestContext) -> list[dict[str, Any]]:
    """Returns recent requests of the application, newest first; empty where they cannot be read."""
    since = datetime.fromtimestamp(ctx.now - 24 * 3600, UTC).isoformat()
    fields = {
        "projectId": ctx.path["project"],
        "appId": ctx.path["app"],
        "since": since,
        "query": {"limit": _SHOWN},
    }
    try:
        found = await ctx.api.call(f"{_TRACES}/ListAppTraces", fields, org=ctx.path["org"])
    except ServiceError as error:
        if error.kind is not Kind.UNAVAILABLE:
            raise
        return []
    traces: list[dict[str, Any]] = found.get("result", [])
    return traces


def _chosen(kind: AppKind, word: str) -> Framework | None:
    return next((one for one in kind.frameworks() if one.name == word), None)


def _configuration(ctx: RequestContext, framework: Framework | None, config: Fields) -> tuple[Rendered | None, str]:
    if framework is None:
        return None, ""
    words = {there: here for here, there in METHODS.items()}
    method = words.get(config.get("authMethodType", "OIDC_AUTH_METHOD_TYPE_BASIC"), "")
    redirect_uri = next(iter(config.get("redirectUris", ())), "")
    try:
        return render(framework, Application(ctx.issuer, config["clientId"], redirect_uri, method)), ""
    except CodeUnavailable as reason:
        return None, str(reason)
