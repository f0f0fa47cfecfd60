from __future__ import annotations

from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError, Violation
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from portico_snippets.frameworks import FRAMEWORKS, find_framework
from starlette.responses import Response

from portico_console.console_app.api_access.clients import change_clients, ticked
from portico_console.console_app.new_app.devices import TURN_ON, allow_devices
from portico_console.console_app.new_app.kinds import (
    AUTHORIZATION_CODE,
    DEVICE_CODE,
    METHODS,
    REFRESH_TOKEN,
    AppKind,
    find_kind,
)
from portico_console.console_app.new_app.questions import (
    NEW_PROJECT,
    REDIRECT_URIS,
    RESOURCES,
    SCOPES,
    addresses_in,
    show_form,
)
from portico_console.forms.field import PREFIX
from portico_console.forms.reading import read
from portico_console.forms.row_buttons import changed_rows
from portico_console.request_context import RequestContext, segment

_APPS: Final = "portico.management.v1.AppService"
_PROJECTS: Final = "portico.management.v1.ProjectService"
_MACHINES: Final = "portico.management.v1.ServiceUserService"
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR})

NO_KIND = ErrorCode(
    "CONS-260", Kind.INVALID_REQUEST, "Unknown kind of application.", "Choose one of those on the page."
)


async def create_app(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    kind = find_kind(typed.get("kind", ""))
    if kind is None:
        raise NO_KIND.error()
    if changed := changed_rows(typed):
        return await show_form(ctx, kind, changed.typed, focus=changed.focus)
    try:
        async with ctx.keeping(typed, at=f"{ctx.request.url.path}?kind={kind.word}"):
            if kind.device and TURN_ON in typed:
                await allow_devices(ctx)
            return await (_create_service_user(ctx, typed) if kind.word == "machine" else _create_app(ctx, kind, typed))
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await show_form(ctx, kind, typed, error, _violations(error, kind, typed))


async def _create_app(ctx: RequestContext, kind: AppKind, typed: Parameters) -> Response:
    org_id, project_id, framework = ctx.path["org"], typed.get("project", ""), typed.get("framework", "")
    app = {"name": _name(typed), **(_oidc(kind, framework, typed) if kind.has_sign_in else _api(typed))}
    if _is_new(project_id):
        fields = {"name": _name(typed, "projectName") or _name(typed), _part_of(kind): app}
        made = await ctx.api.call(f"{_PROJECTS}/SetUpProject", fields, org=org_id)
        project_id = made["id"]
    else:
        method = "AddOIDCApp" if kind.has_sign_in else "AddAPIApp"
        made = await ctx.api.call(f"{_APPS}/{method}", {"projectId": project_id, **app}, org=org_id)
    refused = await _allow(ctx, typed, project_id, made["clientId"]) if kind.word == "api" else {}
    offered = {one.name for one in kind.frameworks()}
    once = await ctx.sessions.keep_to_show(ctx.session, {"secret": made.get("clientSecret", ""), "refused": refused})
    return ctx.see(
        f"{ctx.party.path}/orgs/{segment(org_id)}/projects/{segment(project_id)}/apps/{segment(made['appId'])}/start"
        f"?once={once}&framework={framework if framework in offered else ''}"
    )


def _part_of(kind: AppKind) -> str:
    return "oidcApp" if kind.has_sign_in else "apiApp"


def _is_new(project_id: str) -> bool:
    return project_id in ("", NEW_PROJECT)


def _violations(error: ServiceError, kind: AppKind, typed: Parameters) -> list[Violation]:
    """Returns the errors with the paths of the form; a name is that of the application, its project or service user."""
    chosen = "userName" if kind.word == "machine" else "projectName" if _is_new(typed.get("project", "")) else "name"
    named = chosen if _name(typed, chosen) else "name"
    if error.kind is Kind.ALREADY_EXISTS and not error.violations:
        return [Violation(named, error.text)]
    part = f"{_part_of(kind)}."
    return [
        Violation(named if one.field == "name" else one.field.removeprefix(part), one.text) for one in error.violations
    ]


def _oidc(kind: AppKind, framework: str, typed: Parameters) -> dict[str, Any]:
    chosen = find_framework(framework) if framework in FRAMEWORKS else None
    method = kind.method_of(chosen) or kind.method_of(None)
    redirects = {
        "redirectUris": addresses_in(typed.get(REDIRECT_URIS, "")),
        "postLogoutRedirectUris": addresses_in(typed.get("f.postLogoutRedirectUris", "")),
        "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
    }
    return {
        **({} if kind.device else redirects),
        "grantTypes": [DEVICE_CODE if kind.device else AUTHORIZATION_CODE, REFRESH_TOKEN],
        "appType": kind.app_type,
        "authMethodType": METHODS[method],
        "rolesClaim": chosen.roles_claim if chosen else "",
        "idTokenUserinfoAssertion": bool(chosen and chosen.userinfo_in_id_token),
    }


def _api(typed: Parameters) -> dict[str, Any]:
    scopes = read((SCOPES,), typed, change=False).message.get("scopes", [])
    return {"resources": addresses_in(typed.get(RESOURCES, "")), "scopes": scopes}


async def _allow(ctx: RequestContext, typed: Parameters, project_id: str, client_id: str) -> dict[str, str]:
    """Allows the ticked applications to use the new API; those of its project may already."""
    others = [one for one in ticked(typed) if not one.startswith(f"{project_id}/")]
    return await change_clients(ctx, client_id, add=others)


async def _create_service_user(ctx: RequestContext, typed: Parameters) -> Response:
    ctx.require_recent(f"{_MACHINES}/GenerateMachineSecret")
    org_id, name = ctx.path["org"], _name(typed)
    fields = {"userName": _name(typed, "userName") or name, "name": name, "generateSecret": True}
    made = await ctx.api.call(f"{_MACHINES}/AddMachineUser", fields, org=org_id)
    shown = {"client_id": made["userId"], "secret": made["clientSecret"]}
    once = await ctx.sessions.keep_to_show(ctx.session, shown)
    return ctx.see(f"{ctx.party.path}/orgs/{segment(org_id)}/machines/{segment(made['userId'])}/start?once={once}")


def _name(typed: Parameters, field: str = "name") -> str:
    return trimmed(typed.get(f"{PREFIX}{field}", ""))
