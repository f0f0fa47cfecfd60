"""A lost phone or key: removes the credentials on it, ends sessions and sends a link for a new passkey, in one step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.requests import address
from portico_console.console_app.users.sign_in import SESSIONS
from portico_console.console_app.users.user_page import (
    MANAGEMENT,
    ONE,
    USER_API,
    UserPage,
    ask,
    kept_before,
    load_user,
    see_kept,
    user_page,
)
from portico_console.console_app.users.ways import Way, removal_of, ways_of
from portico_console.management.diagnostics import NotRecent
from portico_console.messages import SIGN_IN_AGAIN, message
from portico_console.request_context import RequestContext

_END: Final = f"{SESSIONS}/RemoveUserSessions"
_SEND: Final = f"{MANAGEMENT}.UserService/SendPasswordlessRegistration"
_POLICY: Final = f"{MANAGEMENT}.PolicyService/GetLoginPolicy"

_ON_A_DEVICE: Final = frozenset({"passkey", "key", "app", "codes"})

SESSIONS_ENDED: Final = message("All sessions")
LINK_SENT: Final = message("Link to register a passkey")
NOTHING_SELECTED: Final = message("Select what was lost.")


class Done(NamedTuple):
    """The result of one step; `title` is English and translated, `name` is that of the credential."""

    word: str
    title: str
    name: str
    problem: str


class Step(NamedTuple):
    word: str
    title: str
    name: str
    method: str
    fields: Mapping[str, Any]


async def show_lost_device(ctx: RequestContext) -> Response:
    if (kept := await kept_before(ctx, "done")) is not None:
        return await _show_results(ctx, [Done(*one) for one in kept])
    frame = await load_frame(ctx)
    ctx.require_recent(f"{USER_API}/RemoveTOTP")
    shown = await load_user(ctx, frame)
    return await _form(ctx, shown, await ways_of(ctx, shown), ctx.typed_before)


async def report_lost_device(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    shown = await load_user(ctx)
    ways = await ways_of(ctx, shown)
    lost = [one for one in ways if f"lost-{one.word}" in typed]
    page = f"{address(ctx, ONE)}/lost-device"
    if not lost and "repeated" not in typed:
        return await _form(ctx, shown, ways, typed, problem=NOTHING_SELECTED)
    async with ctx.keeping(typed, at=page):
        done = await _do(ctx, _steps(ctx, lost, typed))
    return await see_kept(ctx, page, "done", [list(one) for one in done])


def _only_device(lost: list[Way]) -> set[str]:
    """Returns the only one that can be lost, to which recovery codes do not belong."""
    devices = {one.word for one in lost if one.kind != "codes"}
    return devices if len(devices) == 1 else set()


def _selected(typed: Mapping[str, str]) -> set[str]:
    return {name.removeprefix("lost-") for name in typed if name.startswith("lost-")}


def _steps(ctx: RequestContext, lost: list[Way], typed: Mapping[str, str]) -> list[Step]:
    user = {"userId": ctx.path["user"]}
    ids = {"passkey": "passkeyId", "key": "u2fId"}
    steps = []
    for one in lost:
        id = {ids[one.kind]: one.id} if one.kind in ids else {}
        steps.append(Step(f"lost-{one.word}", one.title, one.name, removal_of(one), {**user, **id}))
    if "end_sessions" in typed:
        steps.append(Step("end_sessions", SESSIONS_ENDED, "", _END, user))
    if typed.get("next") == "link":
        steps.append(Step("link", LINK_SENT, "", _SEND, user))
    return steps


async def _do(ctx: RequestContext, steps: list[Step]) -> list[Done]:
    """Carries out each step, also after a failed one; raises NotRecent only while nothing was done."""
    done: list[Done] = []
    for step in steps:
        problem = ""
        try:
            await ctx.api.call(step.method, step.fields, org=ctx.path["org"])
        except NotRecent:
            if not done:
                raise
            problem = SIGN_IN_AGAIN
        except ServiceError as error:
            if error.kind is Kind.UNAUTHENTICATED:
                raise
            problem = ctx.text_of(error) or error.id
        done.append(Done(step.word, step.title, step.name, problem))
    return done


async def _show_results(ctx: RequestContext, done: list[Done]) -> Response:
    shown = await load_user(ctx)
    return user_page(
        ctx,
        shown,
        "sign-in",
        "lost-device-done",
        done=done,
        failed=[one for one in done if one.problem],
        left=await ways_of(ctx, shown),
    )


async def _form(
    ctx: RequestContext, shown: UserPage, ways: list[Way], typed: Mapping[str, str] | None, *, problem: str = ""
) -> Response:
    policy = await ask(ctx, shown.frame, _POLICY)
    has_first_factor = bool((shown.methods or frozenset()) & {"PASSWORD", "IDP"})
    enrols = bool(policy and policy["policy"].get("forceMfa")) and has_first_factor
    may_send = bool(shown.email) and shown.frame.may_call(_SEND)
    chosen = "link" if may_send and not enrols else "later"
    lost = [one for one in ways if one.kind in _ON_A_DEVICE and one.remove]
    return user_page(
        ctx,
        shown,
        "sign-in",
        "lost-device",
        status=400 if problem else 200,
        lost=lost,
        stays=[one for one in ways if one.kind not in _ON_A_DEVICE],
        selected=_only_device(lost) if typed is None else _selected(typed),
        ends=typed is None or "end_sessions" in typed,
        next=(typed or {}).get("next", chosen),
        may_end=shown.frame.may_call(_END),
        may_send=may_send,
        enrols=enrols,
        has_first_factor=has_first_factor,
        missing=problem,
    )
