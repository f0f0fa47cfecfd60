from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from portico_snippets.api_rendering import Api, render_api
from portico_snippets.frameworks import Framework
from portico_snippets.rendering import Application, CodeUnavailable, Rendered, render
from starlette.responses import Response

from portico_console.console_app.new_app.kinds import METHODS, AppKind, kind_of
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.choices import arranged, offered
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.requests import STATES, address, cell
from portico_console.console_app.screens.table import BY_KEY
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment

_TRACES: Final = "portico.management.v1.TraceService/ListAppTraces"
_SHOWN: Final = 10
"""Maximum requests shown."""

_CODE: Final = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE"
_DEVICE: Final = "OIDC_GRANT_TYPE_DEVICE_CODE"
_DAY: Final = 24 * 3600


async def show_app(ctx: RequestContext) -> Response:
    """The page of an application: its requests, its credentials, code for a framework, and its settings."""
    async with asyncio.TaskGroup() as group:
        framing = group.create_task(load_frame(ctx, ctx.path["project"]))
        reading = group.create_task(_get_app(ctx))
        receiving = group.create_task(_diagnostics(ctx))
        above = group.create_task(crumbs(ctx, BY_KEY["apps"], inside=True))
    frame, app, screen = framing.result(), reading.result(), BY_KEY["apps"]
    kind, config = kind_of(app), app["oidcConfig"] or app["apiConfig"]
    query = ctx.request.query_params
    framework = _chosen(kind, query.get("framework", ""))
    once = query.get("once", "")
    shown = await ctx.sessions.take_to_show(ctx.session, once) if once else None
    code, unavailable = _configuration(ctx, kind, framework, config)
    base = address(ctx, screen.object_path)
    fresh = _is_fresh(ctx, app)
    primary, others = arranged(screen, offered(frame, screen, app), lambda one: one.word.endswith("settings"))
    return framed(
        ctx,
        "app.html",
        frame,
        "applications",
        crumbs=above.result(),
        base=base,
        app=app,
        kind=kind,
        state=STATES["INACTIVE" if str(app["state"]).endswith("_INACTIVE") else "ACTIVE"],
        client_id=config["clientId"],
        secret=(shown or {}).get("secret", ""),
        asked_once=bool(once),
        frameworks=kind.frameworks(),
        readers_of_id_token=[one.title for one in kind.frameworks() if one.userinfo_in_id_token],
        lacks_userinfo=bool(framework and framework.userinfo_in_id_token)
        and not config.get("idTokenUserinfoAssertion"),
        framework=framework,
        code=code,
        unavailable=unavailable,
        facts=[
            cell(app, column) for column in screen.facts if column.path != "state" and "clientId" not in column.path
        ],
        primary=primary,
        others=others,
        has_keys=config.get("authMethodType", "").endswith("_PRIVATE_KEY_JWT"),
        names_endpoint=config.get("clientAssertionAudience") != "CLIENT_ASSERTION_AUDIENCE_ISSUER",
        lacks_redirect_uri=kind.has_sign_in and _lacks_redirect_uri(config),
        settings=next((f"{base}/do/{one.word}" for one in (primary, *others) if one and one.word == "settings"), ""),
        traces=receiving.result(),
        fresh=fresh,
        waiting=f"{base}/waiting{'' if fresh else '?old=1'}",
    )


async def show_waiting(ctx: RequestContext) -> Response:
    """Renders only the recent requests; polled by a script."""
    return ctx.page(
        "console/app_waiting.html",
        frame=None,
        traces=await _diagnostics(ctx),
        fresh="old" not in ctx.request.query_params,
        waiting="",
    )


async def show_service_user(ctx: RequestContext) -> Response:
    shown = await ctx.sessions.take_to_show(ctx.session, ctx.request.query_params.get("once", ""))
    return framed(
        ctx,
        "machine_start.html",
        await load_frame(ctx),
        "applications",
        onward=f"{ctx.party.path}/orgs/{segment(ctx.path['org'])}/machines/{segment(ctx.path['user'])}",
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


def _is_fresh(ctx: RequestContext, app: Fields) -> bool:
    """Reports whether the application is so new that all its requests would be shown."""
    created = app["details"].get("creationDate")
    return not created or ctx.now - datetime.fromisoformat(created).timestamp() < _DAY


def _lacks_redirect_uri(config: Fields) -> bool:
    """Reports whether sign-in is impossible for lack of a redirect URI, which a device does not need."""
    grants = config.get("grantTypes") or [_CODE]
    return _CODE in grants and _DEVICE not in grants and not config.get("redirectUris")


async def _diagnostics(ctx: RequestContext) -> list[dict[str, Any]]:
    """Returns recent requests of the application, newest first; empty where they cannot be read."""
    since = datetime.fromtimestamp(ctx.now - _DAY, UTC).isoformat()
    fields = {
        "projectId": ctx.path["project"],
        "appId": ctx.path["app"],
        "since": since,
        "query": {"limit": _SHOWN},
    }
    try:
        found = await ctx.api.call(_TRACES, fields, org=ctx.path["org"])
    except ServiceError as error:
        if error.kind not in (Kind.UNAVAILABLE, Kind.PERMISSION_DENIED):
            raise
        return []
    traces: list[dict[str, Any]] = found.get("result", [])
    return traces


def _chosen(kind: AppKind, word: str) -> Framework | None:
    return next((one for one in kind.frameworks() if one.name == word), None)


def _configuration(
    ctx: RequestContext, kind: AppKind, framework: Framework | None, config: Fields
) -> tuple[Rendered | None, str]:
    if framework is None:
        return None, ""
    try:
        if not kind.has_sign_in:
            return render_api(framework, _api(ctx, config)), ""
        words = {there: here for here, there in METHODS.items()}
        method = words.get(config.get("authMethodType", "OIDC_AUTH_METHOD_TYPE_BASIC"), "")
        redirect_uri = next(iter(config.get("redirectUris", ())), "")
        return render(framework, Application(ctx.issuer, config["clientId"], redirect_uri, method)), ""
    except CodeUnavailable as reason:
        return None, str(reason)


def _api(ctx: RequestContext, config: Fields) -> Api:
    method = (
        "private_key_jwt" if config.get("authMethodType", "").endswith("_PRIVATE_KEY_JWT") else "client_secret_basic"
    )
    scopes = tuple(one["scope"] for one in config.get("scopes", ()))
    return Api(ctx.issuer, config["clientId"], method, tuple(config.get("resources", ())), scopes)
