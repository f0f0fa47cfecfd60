"""The form that invites a person: who it is, and the roles. The account is created, gets its roles and is invited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from portico_oauth.errors import Kind, ServiceError, Violation
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.invitations.addresses import MOST, Invitee, Read, read_people
from portico_console.console_app.invitations.choices import Offers, administrator_roles, load_offers
from portico_console.console_app.invitations.parts import (
    TITLES,
    Outcome,
    Part,
    carry_out,
    refuse_unknown,
    require_recent,
)
from portico_console.console_app.invitations.several import base_of, guests_of, invite_all, request_of
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.project_roles import ProjectRoles, ticked_roles
from portico_console.console_app.users.creation import create_user
from portico_console.forms.field import Field, Widget
from portico_console.forms.filling import problems_of, with_problems
from portico_console.forms.reading import NOT_READ
from portico_console.messages import message
from portico_console.request_context import RequestContext, segment

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

INVITED: Final = message("%(name)s was invited.")
OPENED: Final = message("Application to open afterwards")
ACCOUNT_PAGE: Final = message("Account page")

SEVERAL: Final = message(
    "One per line, or a column of a spreadsheet. A name may precede it, as mail programs write it."
)
NO_ADDRESSES: Final = message("These are not email addresses: %(texts)s")
TOO_MANY: Final = message("Invite at most %(most)s users at once.")

_APP: Final = "f.app"
_EMAIL: Final = "f.email.email"

_FIELDS: Final = (
    ("email.email", message("Email addresses"), True),
    ("profile.firstName", message("First name"), False),
    ("profile.lastName", message("Last name"), False),
)


async def show_invite(ctx: RequestContext) -> Response:
    typed = ctx.typed_before
    if typed is None:
        word = ctx.request.query_params.get("for", "")
        typed = {"role": "ORG_OWNER" if word == "administrator" else "IAM_OWNER" if _is_instance(ctx) else ""}
    frame = await load_frame(ctx)
    return _page(ctx, frame, await load_offers(ctx, frame, frame.org["id"]), typed)


async def send_invite(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    frame = await load_frame(ctx)
    org = frame.org["id"]
    offers = await load_offers(ctx, frame, org)
    parts = _parts(typed, offers.projects, administrator_roles(frame, instance=_is_instance(ctx)))
    read = read_people(typed.get(_EMAIL, ""))
    if problem := _problem_of(ctx, read):
        return _page(ctx, frame, offers, typed, NOT_READ.error(violations=(Violation("email.email", problem),)))
    if len(read.people) > 1:
        async with ctx.keeping(typed):
            require_recent(ctx, parts)
        return await invite_all(ctx, frame, guests_of(read.people, parts))
    person = _with_typed_names(read.people[0] if read.people else Invitee(""), typed).with_names()
    try:
        async with ctx.keeping(typed):
            require_recent(ctx, parts)
            user = await create_user(ctx, request_of(person, org), org)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return _page(ctx, frame, offers, typed, error)
    return await _go_on(ctx, frame, user, person.email, parts)


def _problem_of(ctx: RequestContext, read: Read) -> str:
    """One wrong address is refused by the API, whose reason is better; of several, none is invited."""
    if len(read.people) > MOST:
        return ctx.words.gettext(TOO_MANY) % {"most": MOST}
    if not read.wrong or (len(read.wrong) == 1 and not read.people):
        return ""
    return ctx.words.gettext(NO_ADDRESSES) % {"texts": ", ".join(read.wrong[:5])}


def _with_typed_names(person: Invitee, typed: Mapping[str, str]) -> Invitee:
    first, last = (trimmed(typed.get(f"f.profile.{name}", "")) for name in ("firstName", "lastName"))
    person = person if person.email else Invitee(trimmed(typed.get(_EMAIL, "")))
    return person._replace(first=first, last=last) if first or last else person


async def retry_invite(ctx: RequestContext) -> Response:
    """Repeats the parts that failed."""
    typed = await ctx.read_form()
    frame = await load_frame(ctx)
    parts = [_part(typed[name]) for name in sorted(typed) if name.startswith("part-")]
    async with ctx.keeping(typed, at=base_of(ctx)):
        require_recent(ctx, parts)
    return await _go_on(ctx, frame, typed.get("user", ""), typed.get("name", ""), parts)


def _part(written: str) -> Part:
    try:
        part = msgspec.json.decode(written, type=Part)
    except msgspec.MsgspecError:
        raise NOT_READ.error() from None
    refuse_unknown([part])
    return part


async def _go_on(ctx: RequestContext, frame: Frame, user: str, name: str, parts: Sequence[Part]) -> Response:
    org = frame.org["id"]
    page = f"{ctx.party.path}/orgs/{segment(org)}/users/{segment(user)}"
    outcomes = await carry_out(ctx, user, parts, org)
    if not any(one.problem for one in outcomes):
        return await ctx.see_notice(page, INVITED, name=name)
    return _result(ctx, frame, user, name, outcomes, page)


def _result(
    ctx: RequestContext, frame: Frame, user: str, name: str, outcomes: Sequence[Outcome], page: str
) -> Response:
    return framed(
        ctx,
        "invitations/result.html",
        frame,
        "users",
        user=user,
        name=name,
        page=page,
        outcomes=[(TITLES[one.part.word], one.problem) for one in outcomes],
        left=[msgspec.json.encode(one.part).decode() for one in outcomes if one.problem],
        target=f"{base_of(ctx)}/retry",
    )


def _is_instance(ctx: RequestContext) -> bool:
    return "org" not in ctx.path


def _parts(
    typed: Mapping[str, str], projects: Sequence[ProjectRoles], roles: Sequence[tuple[str, str, str]]
) -> list[Part]:
    """The roles first, so that the invited person has them at the first sign-in."""
    found = [Part("member", (key,)) for key, _name, _meaning in roles if key == typed.get("role")]
    for project in projects:
        if keys := ticked_roles(typed, project.project):
            found.append(Part("grant", keys, project.project))
    opened = typed.get(_APP, "")
    return [*found, Part("invite", (opened,) if opened else ())]


def _page(
    ctx: RequestContext,
    frame: Frame,
    offers: Offers,
    typed: Mapping[str, str],
    error: ServiceError | None = None,
) -> Response:
    fields = tuple(
        Field(path, path.rpartition(".")[2], ctx.words.gettext(label), Widget.LINES if required else Widget.TEXT,
              hint=SEVERAL if required else "", required=required, limit=0 if required else 200, value=typed.get(f"f.{path}", ""))
        for path, label, required in _FIELDS
    )  # fmt: skip
    violations: Sequence[Violation] = error.violations if error else ()
    fields = with_problems(fields, violations)
    return framed(
        ctx,
        "invitations/invite.html",
        frame,
        "users",
        status=error.rendering.status if error else 200,
        problem=ctx.text_of(error) if error else "",
        left=problems_of(fields, violations),
        fields=fields,
        roles=administrator_roles(frame, instance=_is_instance(ctx)),
        role=typed.get("role", ""),
        opens=_app_field(ctx, offers, typed) if offers.apps else None,
        projects=offers.projects,
        more=offers.more,
        typed=typed,
        target=base_of(ctx),
        list_href=f"{ctx.party.path}/orgs/{segment(frame.org['id'])}/users",
    )


def _app_field(ctx: RequestContext, offers: Offers, typed: Mapping[str, str]) -> Field:
    choices = (("", ctx.words.gettext(ACCOUNT_PAGE)), *offers.apps)
    label = ctx.words.gettext(OPENED)
    return Field("app", "app", label, Widget.CHOICE, choices=choices, blank=False, value=typed.get(_APP, ""))
