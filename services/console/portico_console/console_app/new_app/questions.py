from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from portico_oauth.errors import ServiceError, Violation
from portico_oauth.redirect_uris import MAX_LENGTH
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.api_access.clients import ApiClient, load_others
from portico_console.console_app.new_app.devices import TURN_ON, are_devices_allowed, may_allow_devices
from portico_console.console_app.new_app.kinds import KINDS, AppKind, find_kind
from portico_console.console_app.new_app.redirect_advice import Advice, advise
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.forms.building import form_of
from portico_console.forms.field import PREFIX, Field, Widget, is_filled
from portico_console.forms.filling import problems_of, with_focus, with_problems
from portico_console.forms.reading import read, read_draft
from portico_console.management.api import LARGEST_PAGE, Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

NEW_PROJECT = "new"
REDIRECT_URIS: Final = f"{PREFIX}redirectUris"
RESOURCES: Final = f"{PREFIX}resources"
(SCOPES,) = form_of("portico.management.v1.AppService/SetAPIScopes", ("scopes",))

_FOLDED: Final = ("projectName", "postLogoutRedirectUris")

BY_DEFAULT: Final = message("Default: the name.")
IDENTIFIES: Final = message(
    "A URI by which applications name the API, usually its address. It need not exist. It can be empty."
)
RETURNS: Final = message("Where users return after signing in. URIs must match exactly.")


async def show_questions(ctx: RequestContext) -> Response:
    kind = find_kind(ctx.request.query_params.get("kind", ""))
    project = ctx.request.query_params.get("project", "")
    if kind is None:
        return framed(ctx, "new_app.html", await load_frame(ctx), "new", kinds=KINDS, project=project)
    if kind.word == "machine":
        ctx.require_recent("portico.management.v1.ServiceUserService/GenerateMachineSecret")
    return await show_form(ctx, kind, ctx.typed_before or {"project": project})


async def show_form(
    ctx: RequestContext,
    kind: AppKind,
    typed: Mapping[str, str] | None = None,
    error: ServiceError | None = None,
    violations: Sequence[Violation] = (),
    *,
    focus: str = "",
) -> Response:
    """`focus` begins the name of the input of a row that was just added."""
    org_id, frame = ctx.path["org"], await load_frame(ctx)
    projects = []
    if kind.word != "machine":
        found = await ctx.api.call(
            "portico.management.v1.ProjectService/ListProjects",
            {"query": {"limit": LARGEST_PAGE, "asc": True}},
            org=org_id,
        )
        projects = found.get("result", [])
    values = Fields(typed or {})
    fields = with_problems(_fields(kind, values, is_draft=bool(focus)), violations)
    fields = with_focus(fields, focus) if focus else fields
    by_path = {one.path: one for one in fields}
    folded = [by_path[path] for path in _FOLDED if path in by_path]
    return framed(
        ctx,
        "new_app_form.html",
        frame,
        "new",
        kind=kind,
        clients=await _clients(ctx, frame, values) if kind.word == "api" else [],
        devices_off=kind.device and not await are_devices_allowed(ctx, frame),
        turn_on=TURN_ON if may_allow_devices(frame) else "",
        projects=projects,
        new_project=NEW_PROJECT,
        frameworks=kind.frameworks(),
        values=values,
        by_path=by_path,
        folded=folded,
        more_open=any(map(is_filled, folded)),
        advices=advices_of(values.get(REDIRECT_URIS, "")),
        status=error.rendering.status if error else 200,
        problem=ctx.text_of(error) if error else "",
        left=problems_of(fields, violations),
    )


async def _clients(ctx: RequestContext, frame: Frame, values: Mapping[str, str]) -> list[ApiClient]:
    _own, others, _total = await load_others(ctx, frame, project=values.get("project", ""))
    return [one._replace(allowed=one.input in values) for one in others]


def _fields(kind: AppKind, values: Mapping[str, str], *, is_draft: bool) -> list[Field]:
    fields = [Field("name", "name", message("Name"), Widget.TEXT, required=True)]
    if kind.word == "machine":
        fields.append(Field("userName", "userName", message("User name"), Widget.TEXT, hint=BY_DEFAULT))
    else:
        fields.append(Field("projectName", "projectName", message("Name of the new project"), Widget.TEXT))
    if kind.word == "api":
        scopes = read_draft((SCOPES,), values) if is_draft else read((SCOPES,), values, change=False)
        identifier = Field(
            "resources", "resources", message("Identifier"), Widget.TEXT, hint=IDENTIFIES,
            placeholder="https://api.example.com", ltr=True,
        )  # fmt: skip
        return [*(replace(one, value=values.get(one.input, "")) for one in (*fields, identifier)), *scopes.fields]
    if kind.has_sign_in and not kind.device:
        fields += (
            Field(
                "redirectUris", "redirectUris", message("Redirect URIs"), Widget.LINES,
                hint=RETURNS, placeholder="https://app.example.com/callback", ltr=True,
            ),
            Field(
                "postLogoutRedirectUris", "postLogoutRedirectUris", message("Post-logout redirect URIs"), Widget.LINES,
                placeholder="https://app.example.com/",
            ),
        )  # fmt: skip
    return [replace(one, value=values.get(one.input, "")) for one in fields]


def addresses_in(text: str) -> list[str]:
    return [line for line in map(trimmed, text.splitlines()) if line]


def advices_of(text: str) -> list[tuple[str, Advice]]:
    return [(uri[:MAX_LENGTH], advise(uri)) for uri in addresses_in(text)[:100]]
