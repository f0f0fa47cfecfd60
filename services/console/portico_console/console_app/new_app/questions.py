from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from portico_oauth.errors import ServiceError, Violation
from portico_oauth.redirect_uris import MAX_LENGTH
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.new_app.kinds import KINDS, AppKind, find_kind
from portico_console.console_app.new_app.redirect_advice import Advice, advise
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.forms.field import PREFIX, Field, Widget, is_filled
from portico_console.forms.filling import problems_of, with_problems
from portico_console.management.api import LARGEST_PAGE, Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

NEW_PROJECT = "new"
REDIRECT_URIS: Final = f"{PREFIX}redirectUris"

_FOLDED: Final = ("projectName", "postLogoutRedirectUris")

BY_DEFAULT: Final = message("Default: the name.")
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
) -> Response:
    org_id = ctx.path["org"]
    projects = []
    if kind.word != "machine":
        found = await ctx.api.call(
            "portico.management.v1.ProjectService/ListProjects",
            {"query": {"limit": LARGEST_PAGE, "asc": True}},
            org=org_id,
        )
        projects = found.get("result", [])
    values = Fields(typed or {})
    fields = with_problems(_fields(kind, values), violations)
    by_path = {one.path: one for one in fields}
    folded = [by_path[path] for path in _FOLDED if path in by_path]
    return framed(
        ctx,
        "new_app_form.html",
        await load_frame(ctx),
        "new",
        kind=kind,
        projects=projects,
        new_project=NEW_PROJECT,
        frameworks=kind.frameworks() if kind.has_sign_in else (),  # the code of an API needs its scopes first
        values=values,
        by_path=by_path,
        folded=folded,
        more_open=any(map(is_filled, folded)),
        advices=advices_of(values.get(REDIRECT_URIS, "")),
        status=error.rendering.status if error else 200,
        problem=ctx.text_of(error) if error else "",
        left=problems_of(fields, violations),
    )


def _fields(kind: AppKind, values: Mapping[str, str]) -> list[Field]:
    fields = [Field("name", "name", message("Name"), Widget.TEXT, required=True)]
    if kind.word == "machine":
        fields.append(Field("userName", "userName", message("User name"), Widget.TEXT, hint=BY_DEFAULT))
    else:
        fields.append(Field("projectName", "projectName", message("Name of the new project"), Widget.TEXT))
    if kind.has_sign_in:
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
