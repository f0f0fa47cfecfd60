"""A lost phone or key: removes the credentials on it, ends sessions and sends a link for a new passkey, in one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

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
from portico_console.console_app.users.ways import Way, ways_of
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_REMOVE: Final = f"{USER_API}/RemoveCredentials"
_END: Final = f"{SESSIONS}/RemoveUserSessions"
_SEND: Final = f"{MANAGEMENT}.UserService/SendPasswordlessRegistration"
_POLICY: Final = f"{MANAGEMENT}.PolicyService/GetLoginPolicy"

_FATAL: Final = frozenset({Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
_ON_A_DEVICE: Final = frozenset({"passkey", "key", "app", "codes"})
_LISTS: Final = {"passkey": "passkeyIds", "key": "u2fIds"}
_SWITCHES: Final = {"app": "totp", "codes": "recoveryCodes"}

SESSIONS_ENDED: Final = message("All sessions")
LINK_SENT: Final = message("Link to register a passkey")
NOTHING_SELECTED: Final = message("Select what was lost.")


class Done(NamedTuple):
    """What was done; `title` is English and translated, `name` is that of the credential."""

    word: str
    title: str
    name: str


async def show_lost_device(ctx: RequestContext) -> Response:
    if (kept := await kept_before(ctx, "done")) is not None:
        return await _show_results(ctx, [Done(*one) for one in kept])
    frame = await load_frame(ctx)
    ctx.require_recent(_REMOVE)
    shown = await load_user(ctx, frame)
    return await _form(ctx, shown, await ways_of(ctx, shown), ctx.typed_before)


async def report_lost_device(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    shown = await load_user(ctx)
    ways = await ways_of(ctx, shown)
    lost = [one for one in ways if f"lost-{one.word}" in typed and one.kind in _ON_A_DEVICE]
    page = f"{address(ctx, ONE)}/lost-device"
    if not lost:
        return await _form(ctx, shown, ways, typed, missing=NOTHING_SELECTED)
    try:
        async with ctx.keeping(typed, at=page):
            await ctx.api.call(_REMOVE, _fields(ctx, lost, typed), org=ctx.path["org"])
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _form(
            ctx, shown, ways, typed, problem=ctx.text_of(error) or error.id, status=error.rendering.status
        )
    return await see_kept(ctx, page, "done", [list(one) for one in _done(lost, typed)])


def _only_device(lost: list[Way]) -> set[str]:
    """Returns the only one that can be lost, to which recovery codes do not belong."""
    devices = {one.word for one in lost if one.kind != "codes"}
    return devices if len(devices) == 1 else set()


def _selected(typed: Mapping[str, str]) -> set[str]:
    return {name.removeprefix("lost-") for name in typed if name.startswith("lost-")}


def _fields(ctx: RequestContext, lost: list[Way], typed: Mapping[str, str]) -> Fields:
    fields = Fields({"userId": ctx.path["user"]})
    for kind, name in _LISTS.items():
        if ids := [one.id for one in lost if one.kind == kind]:
            fields[name] = ids
    fields |= {_SWITCHES[one.kind]: True for one in lost if one.kind in _SWITCHES}
    if "end_sessions" in typed:
        fields["endSessions"] = True
    if typed.get("next") == "link":
        fields["sendPasskeyLink"] = True
    return fields


def _done(lost: list[Way], typed: Mapping[str, str]) -> Iterator[Done]:
    for one in lost:
        yield Done(f"lost-{one.word}", one.title, one.name)
    if "end_sessions" in typed:
        yield Done("end_sessions", SESSIONS_ENDED, "")
    if typed.get("next") == "link":
        yield Done("link", LINK_SENT, "")


async def _show_results(ctx: RequestContext, done: list[Done]) -> Response:
    shown = await load_user(ctx)
    left = await ways_of(ctx, shown)
    return user_page(ctx, shown, "sign-in", "lost-device-done", done=done, left=left)


async def _form(
    ctx: RequestContext,
    shown: UserPage,
    ways: list[Way],
    typed: Mapping[str, str] | None,
    *,
    missing: str = "",
    problem: str = "",
    status: int = 400,
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
        status=status if missing or problem else 200,
        lost=lost,
        stays=[one for one in ways if one.kind not in _ON_A_DEVICE],
        selected=_only_device(lost) if typed is None else _selected(typed),
        ends=typed is None or "end_sessions" in typed,
        next=(typed or {}).get("next", chosen),
        may_end=shown.frame.may_call(_END),
        may_send=may_send,
        enrols=enrols,
        has_first_factor=has_first_factor,
        missing=missing,
        refused=problem,
    )
