from __future__ import annotations

from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from portico_snippets.frameworks import FRAMEWORKS, find_framework
from starlette.responses import Response

from portico_console.console_app.new_app.kinds import METHODS, AppKind, find_kind
from portico_console.console_app.new_app.questions import NEW_PROJECT, addresses_in, show_form
from portico_console.request_context import RequestContext

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
    try:
        return await (_create_service_user(ctx, typed) if kind.word == "machine" else _create_app(ctx, kind, typed))
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await show_form(ctx, kind, typed, error)


async def _create_app(ctx: RequestContext, kind: AppKind, typed: Parameters) -> Response:
    """A project created for the application remains if creating the application fails; the form then offers it."""
    org_id = ctx.path["org"]
    project_id = typed.get("project", "")
    if project_id in ("", NEW_PROJECT):
        name = _name(typed, "project_name") or _name(typed)
        project_id = (await ctx.api.call(f"{_PROJECTS}/AddProject", {"name": name}, org=org_id))["id"]
    framework = typed.get("framework", "")
    fields = {"projectId": project_id, "name": _name(typed)}
    if kind.has_sign_in:
        made = await ctx.api.call(f"{_APPS}/AddOIDCApp", {**fields, **_oidc(kind, framework, typed)}, org=org_id)
    else:
        made = await ctx.api.call(f"{_APPS}/AddAPIApp", fields, org=org_id)
    once = await ctx.sessions.keep_to_show(ctx.session, {"secret": made.get("clientSecret", "")})
    return ctx.see(
        f"{ctx.party.path}/orgs/{org_id}/projects/{project_id}/apps/{made['appId']}/start"
        f"?once={once}&framework={framework if framework in FRAMEWORKS else ''}"
    )


def _oidc(kind: AppKind, framework: str, typed: Parameters) -> dict[str, Any]:
    chosen = find_framework(framework) if framework in FRAMEWORKS else None
    method = kind.method_of(chosen) or kind.method_of(None)
    return {
        "redirectUris": addresses_in(typed.get("redirect_uris", "")),
        "postLogoutRedirectUris": addresses_in(typed.get("post_logout_uris", "")),
        "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
        "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        "appType": kind.app_type,
        "authMethodType": METHODS[method],
        "rolesClaim": chosen.roles_claim if chosen else "",
    }


async def _create_service_user(ctx: RequestContext, typed: Parameters) -> Response:
    ctx.require_recent(f"{_MACHINES}/GenerateMachineSecret")
    org_id = ctx.path["org"]
    name = _name(typed)
    made = await ctx.api.call(
        f"{_MACHINES}/AddMachineUser", {"userName": _name(typed, "user_name") or name, "name": name}, org=org_id
    )
    secret = await ctx.api.call(f"{_MACHINES}/GenerateMachineSecret", {"userId": made["userId"]}, org=org_id)
    once = await ctx.sessions.keep_to_show(
        ctx.session, {"client_id": secret["clientId"], "secret": secret["clientSecret"]}
    )
    return ctx.see(f"{ctx.party.path}/orgs/{org_id}/machines/{made['userId']}/start?once={once}")


def _name(typed: Parameters, field: str = "name") -> str:
    return trimmed(typed.get(field, ""))
