from __future__ import annotations

import asyncio
from typing import Final

from portico_oauth.parameters import Parameters
from portico_web.countries import country_name
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, led_to, showing
from portico_console.forms.words import sign_in_methods
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_OF: Final = "portico.management.v1.SessionService"
_ENDED: Final = message("The session was ended.")
_TRUST_ENDED: Final = message("The browser is no longer trusted.")
_OTHERS_ENDED: Final = message("All other sessions were ended.")


async def show_sessions(ctx: RequestContext, refused: Refused | None) -> Response:
    found, trusted = await asyncio.gather(_list(ctx, "ListUserSessions"), _list(ctx, "ListUserTrustedDevices"))
    sessions = [_session(ctx, one) for one in found]
    devices = [Fields({**one, "country": country_name(one.get("country", ""), ctx.language.tag)}) for one in trusted]
    return account_page(ctx, "sessions.html", "sessions", refused, sessions=sessions, devices=devices)


async def _list(ctx: RequestContext, method: str) -> list[Fields]:
    found = await ctx.api.call(f"{_OF}/{method}", {"userId": ctx.session.sub})
    return list(found.get("result", ()))


def _session(ctx: RequestContext, found: Fields) -> Fields:
    country = country_name(found.get("country", ""), ctx.language.tag)
    return Fields({**found, "methods": sign_in_methods(found.get("amr", ())), "country": country})


async def _end(ctx: RequestContext, typed: Parameters) -> Response:
    """Ends a session; ending that of this browser also ends this page's session and access token."""
    await ctx.api.call(f"{_OF}/RemoveUserSession", {"userId": ctx.session.sub, "sessionId": typed.get("id", "")})
    return await led_to(ctx, "sessions", _ENDED)


async def _end_others(ctx: RequestContext, _typed: Parameters) -> Response:
    """Ends the trust in all browsers, this one included."""
    for device in await _list(ctx, "ListUserTrustedDevices"):
        await _remove_device(ctx, device["id"])
    for session in await _list(ctx, "ListUserSessions"):
        if session["id"] != ctx.session.sid:
            await ctx.api.call(f"{_OF}/RemoveUserSession", {"userId": ctx.session.sub, "sessionId": session["id"]})
    return await led_to(ctx, "sessions", _OTHERS_ENDED)


async def _end_trust(ctx: RequestContext, typed: Parameters) -> Response:
    await _remove_device(ctx, typed.get("id", ""))
    return await led_to(ctx, "sessions", _TRUST_ENDED)


async def _remove_device(ctx: RequestContext, id: str) -> None:
    await ctx.api.call(f"{_OF}/RemoveUserTrustedDevice", {"userId": ctx.session.sub, "deviceId": id})


PAGES: Final = (
    PageRow("/sessions", showing(show_sessions), acting("session", show_sessions, _end)),
    PageRow("/sessions/trusted", None, acting("device", show_sessions, _end_trust, at="sessions")),
    PageRow("/sessions/others", None, acting("session", show_sessions, _end_others, at="sessions")),
)
