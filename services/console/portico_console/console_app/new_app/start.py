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
from portico_console.visit import Visit

_TRACES: Final = "portico.management.v1.TraceService"
_SHOWN: Final = 10
"""Maximum requests shown."""


async def show_start(visit: Visit) -> Response:
    """Shows client id, the secret once, the configuration for a framework, and recent requests."""
    app = await _get_app(visit)
    kind = kind_of(app)
    config = app["oidcConfig"] or app["apiConfig"]
    framework = _chosen(kind, visit.request.query_params.get("framework", ""))
    once = visit.request.query_params.get("once", "")
    shown = await visit.sessions.take_to_show(visit.session, once) if once else None
    code, unavailable = _configuration(visit, framework, config)
    return framed(
        visit,
        "app_start.html",
        await load_frame(visit),
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
        traces=await _traces(visit),
        waiting=f"{visit.request.url.path.removesuffix('/start')}/waiting",
    )


async def show_waiting(visit: Visit) -> Response:
    """Renders only the recent requests; polled by a script."""
    return visit.page("console/app_waiting.html", frame=None, traces=await _traces(visit), waiting="")


async def show_machine(visit: Visit) -> Response:
    shown = await visit.sessions.take_to_show(visit.session, visit.request.query_params.get("once", ""))
    return framed(
        visit,
        "machine_start.html",
        await load_frame(visit),
        "applications",
        user_id=visit.path["user"],
        shown=Fields(shown or {}),
    )


async def _get_app(visit: Visit) -> Fields:
    found = await visit.api.call(
        "portico.management.v1.AppService/GetAppByID",
        {"projectId": visit.path["project"], "appId": visit.path["app"]},
        org=visit.path["org"],
    )
    app: Fields = found["app"]
    return app


async def _traces(visit: Visit) -> list[dict[str, Any]]:
    """Returns recent requests of the application, newest first; empty where they cannot be read."""
    since = datetime.fromtimestamp(visit.now - 24 * 3600, UTC).isoformat()
    fields = {
        "projectId": visit.path["project"],
        "appId": visit.path["app"],
        "since": since,
        "query": {"limit": _SHOWN},
    }
    try:
        found = await visit.api.call(f"{_TRACES}/ListAppTraces", fields, org=visit.path["org"])
    except ServiceError as error:
        if error.kind is not Kind.UNAVAILABLE:
            raise
        return []
    traces: list[dict[str, Any]] = found.get("result", [])
    return traces


def _chosen(kind: AppKind, word: str) -> Framework | None:
    return next((one for one in kind.frameworks() if one.name == word), None)


def _configuration(visit: Visit, framework: Framework | None, config: Fields) -> tuple[Rendered | None, str]:
    if framework is None:
        return None, ""
    words = {there: here for here, there in METHODS.items()}
    method = words.get(config.get("authMethodType", "OIDC_AUTH_METHOD_TYPE_BASIC"), "")
    redirect_uri = next(iter(config.get("redirectUris", ())), "")
    try:
        return render(framework, Application(visit.issuer, config["clientId"], redirect_uri, method)), ""
    except CodeUnavailable as reason:
        return None, str(reason)
