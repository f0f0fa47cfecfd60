"""What a user would get at an application, now and with other roles or claim rules (decisions 0141 and 0142)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError, Violation
from starlette.responses import Response

from portico_console.console_app.claim_rules.panel import PREVIEW
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.found_users import FIND, as_person, with_people
from portico_console.console_app.screens.frame import Crumb, crumbs, framed
from portico_console.console_app.screens.reading import read_object
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Action
from portico_console.console_app.screens.table import BY_KEY
from portico_console.forms.building import form_of
from portico_console.forms.field import Field
from portico_console.forms.filling import begun, problems_of, with_focus, with_problems
from portico_console.forms.reading import NOT_READ, read, read_draft
from portico_console.forms.row_buttons import changed_rows
from portico_console.forms.words import word
from portico_console.management.api import LARGEST_PAGE
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_OF: Final = "portico.management.v1.AppService"
_ROLES: Final = "portico.management.v1.ProjectService/ListProjectRoles"
_WHO: Final = Action("preview", "Preview tokens", PREVIEW, of_users=("userId",))
_USUAL: Final = {"scope": "openid profile email"}
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
_VARY: Final = frozenset({"jti", "at_hash", "iat", "nbf", "exp", "auth_time"})
"""Claims that differ between any two tokens."""

OTHER_ROLES: Final = "other_roles"
OTHER_RULES: Final = "other_rules"
ROLE: Final = "role."

_PLACES: Final = (
    ("idToken", "CLAIM_PLACE_ID_TOKEN", message("ID token")),
    ("accessToken", "CLAIM_PLACE_ACCESS_TOKEN", message("Access token")),
    ("userinfo", "CLAIM_PLACE_USERINFO", message("Userinfo")),
    ("introspection", "CLAIM_PLACE_INTROSPECTION", message("Introspection")),
)
_OF_APPLICATION: Final = message("Rule of the application")
_OF_PROJECT: Final = message("Rule of the project")
_DROPPED: Final = {
    "SCOPE_REASON_UNKNOWN": message("No API that the application may use defines it."),
    "SCOPE_REASON_PROJECT": message("The application may not name this project."),
    "SCOPE_REASON_METADATA": message("The organization of the user neither owns the project nor was granted it."),
    "SCOPE_REASON_NO_REFRESH_TOKENS": message("The application may not use refresh tokens."),
    "SCOPE_REASON_ROLE": message("The user needs one of these roles:"),
}
_NOT_GIVEN: Final = {
    "CLAIM_REASON_RESERVED": message("The settings of the application use the claim."),
    "CLAIM_REASON_ANOTHER_PLACE": message("Nothing that is issued or answered shows the claim."),
    "CLAIM_REASON_SCOPE": message("Its scope was not granted."),
    "CLAIM_REASON_ANOTHER_PROJECT": message(
        "The token is not for the project, or the roles are of another organization."
    ),
    "CLAIM_REASON_ANOTHER_ORGANIZATION": message("Metadata and groups of users of this organization may not be read."),
    "CLAIM_REASON_NO_VALUE": message("The user has no such value."),
    "CLAIM_REASON_NOT_VERIFIED": message("The email address or phone number is not verified."),
}


class Claim(NamedTuple):
    """A claim as JSON text, empty where it is absent; `ruled` where a claim rule gives it."""

    name: str
    now: str
    then: str
    differs: bool
    ruled: bool


class Place(NamedTuple):
    label: str
    claims: list[Claim]


async def show_preview(ctx: RequestContext) -> Response:
    page = await _Page.load(ctx)
    return page.shown(begun(page.fields, _USUAL | page.stored))


async def preview(ctx: RequestContext) -> Response:
    """The form again, with what the user would get below it; nothing is changed."""
    typed, page = await ctx.read_form(), await _Page.load(ctx)
    if rows := changed_rows(typed):
        draft = read_draft(page.fields, rows.typed).fields
        return page.shown(with_focus(draft, rows.focus), typed=typed)
    form = await with_people(ctx, _WHO, read(page.fields, typed, change=False), typed)
    if FIND in typed:
        return page.shown(form.fields, typed=typed)
    if form.violations:
        return page.refused(form.fields, NOT_READ.error(), form.violations, typed)
    try:
        found = await ctx.api.call(PREVIEW, page.asked(form.message, typed), org=ctx.path["org"])
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        wrong = [Violation(one.field.removeprefix("change."), one.text) for one in error.violations]
        return page.refused(form.fields, error, wrong, typed)
    return page.shown(form.fields, typed=typed, **_compared(found))


async def show_apps(ctx: RequestContext) -> Response:
    """Of a project: its applications, one of which is to be chosen."""
    async with asyncio.TaskGroup() as group:
        framing = group.create_task(load_frame(ctx, ctx.path["project"]))
        asked = {"projectId": ctx.path["project"], "query": {"limit": LARGEST_PAGE, "asc": True}}
        reading = group.create_task(ctx.api.call(f"{_OF}/ListApps", asked, org=ctx.path["org"]))
        above = group.create_task(crumbs(ctx, BY_KEY["apps"], inside=True))
    apps = [
        (one["name"], f"{address(ctx, BY_KEY['apps'].path)}/{one['id']}/preview")
        for one in reading.result().get("result", ())
        if one.get("oidcConfig")
    ]
    return framed(ctx, "token_preview_apps.html", framing.result(), "applications", crumbs=above.result(), apps=apps)


class _Page(NamedTuple):
    ctx: RequestContext
    frame: Frame
    app: Mapping[str, Any]
    roles: Sequence[Mapping[str, Any]]
    above: list[Crumb]

    @staticmethod
    async def load(ctx: RequestContext) -> _Page:
        frame = await load_frame(ctx, ctx.path["project"])
        async with asyncio.TaskGroup() as group:
            app = group.create_task(read_object(ctx, BY_KEY["apps"]))
            roles = group.create_task(_roles_of_project(ctx, frame))
            above = group.create_task(crumbs(ctx, BY_KEY["apps"], inside=True))
        return _Page(ctx, frame, app.result(), roles.result(), above.result())

    @property
    def fields(self) -> tuple[Field, ...]:
        person, scope = form_of(PREVIEW, ("userId", "scope"))
        return as_person(person), scope, *form_of(f"{_OF}/SetAppClaimRules", ("claimRules",), change=True)

    @property
    def stored(self) -> dict[str, Any]:
        return {"claimRules": self.app["oidcConfig"].get("claimRules", ())}

    def asked(self, form: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
        path = self.ctx.path
        asked = {"projectId": path["project"], "appId": path["app"], "userId": form["userId"]}
        asked["scope"] = form.get("scope", "")
        if OTHER_RULES in typed:
            asked["change"] = {"claimRules": form.get("claimRules") or []}
        if OTHER_ROLES in typed:
            asked["roles"] = [{"roleKeys": [one["key"] for one in self.roles if f"{ROLE}{one['key']}" in typed]}]
        return asked

    def refused(
        self, fields: Sequence[Field], error: ServiceError, wrong: Sequence[Violation], typed: Mapping[str, str]
    ) -> Response:
        marked = with_problems(fields, wrong)
        return self.shown(
            marked,
            typed=typed,
            status=error.rendering.status,
            problem=self.ctx.text_of(error),
            left=problems_of(marked, wrong),
        )

    def shown(
        self, fields: Sequence[Field], *, typed: Mapping[str, str] | None = None, status: int = 200, **shown: Any
    ) -> Response:
        typed, base = typed or {}, address(self.ctx, BY_KEY["apps"].object_path)
        return framed(
            self.ctx,
            "token_preview.html",
            self.frame,
            "applications",
            status=status,
            crumbs=[*self.above, Crumb(self.app["name"], base, named=True)],
            target=f"{base}/preview",
            asked=fields[:2],
            rules=fields[2:],
            roles=self.roles,
            ticked={one["key"] for one in self.roles if f"{ROLE}{one['key']}" in typed},
            other_roles=OTHER_ROLES in typed,
            other_rules=OTHER_RULES in typed,
            **{"problem": "", "left": (), "columns": (), "places": (), "hooked": False, **shown},
        )


async def _roles_of_project(ctx: RequestContext, frame: Frame) -> Sequence[Mapping[str, Any]]:
    if not frame.may_call(_ROLES):
        return ()
    asked = {"projectId": ctx.path["project"], "query": {"limit": LARGEST_PAGE, "asc": True}}
    found: Sequence[Mapping[str, Any]] = (await ctx.api.call(_ROLES, asked, org=ctx.path["org"])).get("result", ())
    return found


def _compared(found: Mapping[str, Any]) -> dict[str, Any]:
    """What the template shows: the columns, and the claims of each place side by side."""
    columns = [found["current"], *([found["changed"]] if found.get("changed") else [])]
    places = []
    for name, place, label in _PLACES:
        contents = [column.get(name) or {} for column in columns]
        ruled = {
            one["claim"] for column in columns for one in column.get("claimRules", ()) if place in one.get("in", ())
        }
        names = dict.fromkeys(one for content in contents for one in content)
        claims = [_claim(claim, contents, ruled) for claim in names]
        if claims:
            places.append(Place(label, claims))
    hooked = any(one.get("tokenHookId") for one in columns)
    return {"columns": [_column(one) for one in columns], "places": places, "hooked": hooked}


def _claim(name: str, contents: Sequence[Mapping[str, Any]], ruled: Collection[str]) -> Claim:
    texts = [json.dumps(content[name], ensure_ascii=False) if name in content else "" for content in contents]
    return Claim(name, texts[0], texts[-1], texts[0] != texts[-1] and name not in _VARY, name in ruled)


def _column(found: Mapping[str, Any]) -> dict[str, Any]:
    dropped = found.get("droppedScopes", ())
    rules = found.get("claimRules", ())
    return {
        "scopes": found.get("scopes", ()),
        "dropped": [(one["scope"], _DROPPED.get(one.get("reason"), ""), one.get("roles", ())) for one in dropped],
        "rules": [
            (
                one["claim"],
                _OF_PROJECT if one.get("ofProject") else _OF_APPLICATION,
                [word(place) for place in one.get("in", ())],
                _NOT_GIVEN.get(one.get("reason"), ""),
            )
            for one in rules
        ],
        "hook": found.get("tokenHookId", ""),
    }


_PROJECT: Final = "/orgs/{org}/projects/{project}"
TOKEN_PREVIEW_PAGES: Final = (
    PageRow(f"{_PROJECT}/preview", show_apps),
    PageRow(f"{_PROJECT}/apps/{{app}}/preview", show_preview, preview),
)
