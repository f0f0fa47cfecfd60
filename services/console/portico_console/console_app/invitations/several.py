"""Invites several people with the same roles. Those that failed are named, and are tried again without the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.invitations.addresses import MOST, Invitee
from portico_console.console_app.invitations.parts import TITLES, Part, carry_out, refuse_unknown, require_recent
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.users.creation import create_user
from portico_console.forms.reading import NOT_READ
from portico_console.forms.words import label_of_path
from portico_console.messages import message
from portico_console.request_context import RequestContext, segment

_SIDE_BY_SIDE: Final = 4
_GUEST: Final = "guest-"

ALL_INVITED: Final = message("%(count)s users were invited.")


class Guest(msgspec.Struct, frozen=True, array_like=True):
    """`user` is the id once the account is created; `parts` are those that are left to do."""

    person: Invitee
    parts: tuple[Part, ...]
    user: str = ""
    problem: str = ""


async def invite_all(ctx: RequestContext, frame: Frame, guests: Sequence[Guest]) -> Response:
    gate = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def invite(guest: Guest) -> Guest:
        async with gate:
            return await _invite(ctx, guest, frame.org["id"])

    results = await asyncio.gather(*(invite(one) for one in guests))
    failed = [one for one in results if one.problem]
    page = f"{ctx.party.path}/orgs/{segment(frame.org['id'])}"
    if not failed:
        return await ctx.see_notice(f"{page}/invitations", ALL_INVITED, count=str(len(results)))
    return framed(
        ctx,
        "invitations/several.html",
        frame,
        "invitations",
        status=200,
        done=len(results) - len(failed),
        failed=failed,
        left={f"{_GUEST}{place}": _written(one) for place, one in enumerate(failed)},
        target=f"{base_of(ctx)}/several",
        page=f"{page}/invitations",
    )


async def retry_several(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    guests = [_read(text) for name, text in typed.items() if name.startswith(_GUEST)][:MOST]
    async with ctx.keeping(typed, at=base_of(ctx)):
        require_recent(ctx, [part for one in guests for part in one.parts])
    return await invite_all(ctx, await load_frame(ctx), guests)


def request_of(person: Invitee, org: str) -> dict[str, Any]:
    return {
        "profile": {"firstName": person.first, "lastName": person.last},
        "email": {"email": person.email, "returnCode": {}},  # the code is in the answer: only the invitation is sent
        "organisation": {"orgId": org},
    }


def base_of(ctx: RequestContext) -> str:
    place = "instance" if "org" not in ctx.path else f"orgs/{segment(ctx.path['org'])}"
    return f"{ctx.party.path}/{place}/invite"


async def _invite(ctx: RequestContext, guest: Guest, org: str) -> Guest:
    user = guest.user
    try:
        user = user or await create_user(ctx, request_of(guest.person, org), org)
    except ServiceError as error:
        if error.kind is Kind.UNAUTHENTICATED:
            raise
        reasons = dict.fromkeys(f"{label_of_path(one.field)}: {one.text}" for one in error.violations or ())
        return msgspec.structs.replace(guest, problem=" ".join(reasons) or ctx.text_of(error) or error.id)
    failed = [one for one in await carry_out(ctx, user, guest.parts, org) if one.problem]
    problems = (f"{ctx.words.gettext(TITLES[one.part.word])}: {one.problem}" for one in failed)
    return Guest(guest.person, tuple(one.part for one in failed), user, " ".join(problems))


def _written(guest: Guest) -> str:
    return msgspec.json.encode(msgspec.structs.replace(guest, problem="")).decode()


def _read(text: str) -> Guest:
    try:
        guest = msgspec.json.decode(text, type=Guest)
    except msgspec.MsgspecError:
        raise NOT_READ.error() from None
    refuse_unknown(guest.parts)
    return guest


def guests_of(people: Sequence[Invitee], parts: Sequence[Part]) -> list[Guest]:
    return [Guest(one.named(), tuple(parts)) for one in people]
