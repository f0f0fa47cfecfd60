from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.typed_text import trimmed
from portico_snippets.api_rendering import Api, render_api
from portico_snippets.frameworks import Framework
from portico_snippets.rendering import Application, CodeUnavailable, Rendered, render
from starlette.responses import Response

from portico_console.console_app.api_access.choice import CHOSEN, TICKED, UsableApi, asking, usable_apis
from portico_console.console_app.api_access.clients import load_clients
from portico_console.console_app.claim_rules.panel import panel
from portico_console.console_app.new_app.devices import are_devices_allowed
from portico_console.console_app.new_app.kinds import AUTHORIZATION_CODE, DEVICE_CODE, METHODS, AppKind, kind_of
from portico_console.console_app.refusals.words import ENDPOINTS, word_of
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.choices import arranged, offered
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.requests import STATES, address, cell
from portico_console.console_app.screens.screen import Column
from portico_console.console_app.screens.table import BY_KEY
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment

_APPS: Final = "portico.management.v1.AppService"
_MAX_WORDS: Final = 200
_TRACES: Final = "portico.management.v1.TraceService/ListAppTraces"
_SHOWN: Final = 10
"""Maximum requests shown."""

_DAY: Final = 24 * 3600


async def show_app(ctx: RequestContext, refused: Mapping[str, str] | None = None) -> Response:
    """The page of an application: its requests, its credentials, code for a framework, and its settings.

    `refused` are the reasons why applications could not be allowed to use this API.
    """
    async with asyncio.TaskGroup() as group:
        framing = group.create_task(load_frame(ctx, ctx.path["project"]))
        reading = group.create_task(load_app(ctx))
        receiving = group.create_task(_diagnostics(ctx))
        above = group.create_task(crumbs(ctx, BY_KEY["apps"], inside=True))
    frame, app, screen = framing.result(), reading.result(), BY_KEY["apps"]
    kind, config = kind_of(app), app["oidcConfig"] or app["apiConfig"]
    once = ctx.request.query_params.get("once", "")
    shown = await ctx.sessions.take_to_show(ctx.session, once) if once else None
    base = address(ctx, screen.object_path)
    fresh = _is_fresh(ctx, app)
    actions = offered(frame, screen, app)
    of_secrets = {one.word.removeprefix("api-"): one for one in actions if one.word.endswith("secret")}
    actions = [one for one in actions if one not in of_secrets.values()]
    primary, others = arranged(screen, actions, lambda one: one.word.endswith("settings"))
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
        secrets=app.get("secrets", ()),
        of_secrets=of_secrets,
        now=datetime.fromtimestamp(ctx.now, UTC).isoformat(),
        devices_off=DEVICE_CODE in config.get("grantTypes", ()) and not await are_devices_allowed(ctx, frame),
        asked_once=bool(once),
        facts=[cell(app, column) for column in screen.facts if _is_fact(app, column)],
        primary=primary,
        others=others,
        **_key_facts(config),
        lacks_redirect_uri=kind.has_sign_in and _lacks_redirect_uri(config),
        settings=next((f"{base}/do/{one.word}" for one in (primary, *others) if one and one.word == "settings"), ""),
        traces=receiving.result(),
        fresh=fresh,
        waiting=f"{base}/waiting{'' if fresh else '?old=1'}",
        **_code(ctx, kind, config, await usable_apis(ctx, frame) if kind.has_sign_in else []),
        **await _of_kind(ctx, frame, kind, config, refused or (shown or {}).get("refused", {})),
    )


def _key_facts(config: Fields) -> dict[str, bool]:
    method = config.get("authMethodType", "")
    return {
        "has_keys": method.endswith(("_PRIVATE_KEY_JWT", "_SELF_SIGNED_TLS_CLIENT_AUTH")),
        "signs_assertions": method.endswith("_PRIVATE_KEY_JWT"),
        "names_endpoint": config.get("clientAssertionAudience") != "CLIENT_ASSERTION_AUDIENCE_ISSUER",
    }


def _code(ctx: RequestContext, kind: AppKind, config: Fields, apis: list[UsableApi]) -> dict[str, Any]:
    framework = _chosen(kind, ctx.request.query_params.get("framework", ""))
    application = asking(_application(ctx, config), apis)
    code, unavailable = _configuration(ctx, kind, framework, config, application)
    reads_id_token = bool(framework and framework.userinfo_in_id_token)
    return {
        "apis": apis,
        "chosen": CHOSEN,
        "ticked": TICKED,
        "scope": application.scope,
        "frameworks": kind.frameworks(),
        "framework": framework,
        "readers_of_id_token": [one.title for one in kind.frameworks() if one.userinfo_in_id_token],
        "lacks_userinfo": reads_id_token and not config.get("idTokenUserinfoAssertion"),
        "needs_proofs": application.needs_proofs and not (framework and framework.proofs),
        "code": code,
        "unavailable": unavailable,
    }


async def _of_kind(
    ctx: RequestContext, frame: Frame, kind: AppKind, config: Fields, refused: Mapping[str, str]
) -> dict[str, Any]:
    return panel(frame, config) if kind.has_sign_in else await _of_api(ctx, frame, config, refused)


async def _of_api(ctx: RequestContext, frame: Frame, config: Fields, refused: Mapping[str, str]) -> dict[str, Any]:
    """Returns what only the page of an API shows: its scopes, and the applications that may use it."""
    words = trimmed(ctx.request.query_params.get("q", ""))[:_MAX_WORDS]
    return {
        "project_id": ctx.path["project"],
        "identifiers": config.get("resources", ()),
        "scopes": config.get("scopes", ()),
        "may_change": frame.may_call(f"{_APPS}/SetAPIScopes"),
        "clients": await load_clients(ctx, frame, config["clientId"], words),
        "may_allow": frame.may_call(f"{_APPS}/AddAppAPI"),
        "may_grant": frame.may_call("portico.management.v1.ProjectGrantService/AddProjectGrant"),
        "words": words,
        "refused": refused,
    }


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


def _is_fact(app: Fields, column: Column) -> bool:
    """Reports whether the settings show it: it belongs to this kind of application, and is nowhere else on the page."""
    is_of_kind = bool(app["oidcConfig"]) or not column.path.startswith("oidcConfig.") or "|" in column.path
    return is_of_kind and column.path != "state" and "clientId" not in column.path


async def load_app(ctx: RequestContext) -> Fields:
    found = await ctx.api.call(
        f"{_APPS}/GetAppByID",
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
    grants = config.get("grantTypes") or [AUTHORIZATION_CODE]
    return AUTHORIZATION_CODE in grants and DEVICE_CODE not in grants and not config.get("redirectUris")


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
    for one in traces:
        one["endpointWord"] = word_of(ENDPOINTS, one.get("endpoint", ""), ctx.words.gettext)
    return traces


def _chosen(kind: AppKind, word: str) -> Framework | None:
    return next((one for one in kind.frameworks() if one.name == word), None)


def _configuration(
    ctx: RequestContext, kind: AppKind, framework: Framework | None, config: Fields, application: Application
) -> tuple[Rendered | None, str]:
    if framework is None:
        return None, ""
    try:
        if not kind.has_sign_in:
            return render_api(framework, _api(ctx, config)), ""
        return render(framework, application), ""
    except CodeUnavailable as reason:
        return None, str(reason)


def _application(ctx: RequestContext, config: Fields) -> Application:
    words = {there: here for here, there in METHODS.items()}
    method = words.get(config.get("authMethodType", "OIDC_AUTH_METHOD_TYPE_BASIC"), "")
    redirect_uri = next(iter(config.get("redirectUris", ())), "")
    needs_proofs = config.get("dpop") == "DPOP_REQUIRED"
    return Application(ctx.issuer, config["clientId"], redirect_uri, method, needs_proofs=needs_proofs)


def _api(ctx: RequestContext, config: Fields) -> Api:
    named = config.get("authMethodType", "API_AUTH_METHOD_TYPE_BASIC").removeprefix("API_AUTH_METHOD_TYPE_").lower()
    method = "client_secret_basic" if named == "basic" else named
    scopes = tuple(one["scope"] for one in config.get("scopes", ()))
    roles = {one["scope"]: tuple(one.get("roles", ())) for one in config.get("scopes", ())}
    return Api(ctx.issuer, config["clientId"], method, tuple(config.get("resources", ())), scopes, roles)
