from __future__ import annotations

import asyncio
from typing import Final

from portico_web.countries import country_name
from starlette.responses import Response

from portico_console.console_app.users.user_page import MANAGEMENT, USER_API, ask, load_user, user_page
from portico_console.console_app.users.ways import missing, ways_of
from portico_console.forms.words import sign_in_methods
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

SESSIONS: Final = f"{MANAGEMENT}.SessionService"


async def show_sign_in(ctx: RequestContext) -> Response:
    """How a user signs in, and where the user is signed in."""
    shown = await load_user(ctx)
    ways, sessions, trusted = await asyncio.gather(
        ways_of(ctx, shown),
        ask(ctx, shown.frame, f"{SESSIONS}/ListUserSessions"),
        ask(ctx, shown.frame, f"{SESSIONS}/ListUserTrustedDevices"),
    )
    return user_page(
        ctx,
        shown,
        "sign-in",
        ways=ways,
        missing=missing(ways),
        sessions=None if sessions is None else [_session(ctx, one) for one in sessions.get("result", ())],
        devices=[_with_country(ctx, one) for one in (trusted or Fields()).get("result", ())],
        may_lose=shown.frame.may_call(f"{USER_API}/RemoveTOTP"),
        may_end=shown.frame.may_call(f"{SESSIONS}/RemoveUserSession"),
    )


def _session(ctx: RequestContext, found: Fields) -> Fields:
    return Fields({**_with_country(ctx, found), "methods": sign_in_methods(found.get("amr", ()))})


def _with_country(ctx: RequestContext, found: Fields) -> Fields:
    return Fields({**found, "country": country_name(found.get("country", ""), ctx.language.tag)})
