"""Filters of a list that an administrator saved under a name: in a cookie of this browser, like the theme."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from portico_oauth.opaque import b64url
from portico_oauth.typed_text import trimmed
from portico_web.cookies import ONE_YEAR, set_cookie
from starlette.responses import Response

from portico_console.console_app.screens.paging import Asked, asked_by, query_of
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Listing, Screen
from portico_console.messages import message
from portico_console.request_context import RequestContext
from portico_console.sessions.session import SessionCookie

MOST: Final = 10
_MOST_BYTES: Final = 2_000
_MAX_NAME: Final = 40

SAVED: Final = message("The filter %(name)s was saved.")
REMOVED: Final = message("The filter %(name)s was removed.")
NO_NAME: Final = message("Enter a name.")
FULL: Final = message("Remove a saved filter first: there is room for 10.")


class SavedFilter(msgspec.Struct, array_like=True):
    name: str
    query: str


class Shown(NamedTuple):
    """`can_save`: the list is narrowed in a way that is not saved yet."""

    filters: list[SavedFilter]
    current: str
    can_save: bool


def saved_filters(ctx: RequestContext, asked: Asked, listing: Listing) -> Shown:
    found, query = _read(ctx), query_of(asked, listing)
    return Shown(found, query, asked.is_narrowed and all(one.query != query for one in found))


async def change_saved(screen: Screen, ctx: RequestContext) -> Response:
    """Saves the filter of the list, or removes one; the query is read like that of an address."""
    typed = await ctx.read_form()
    listing, base = screen.listing, address(ctx, screen.path)
    if listing is None:
        return ctx.see(base)
    query = query_of(asked_by(dict(parse_qsl(typed.get("query", ""))), listing), listing)
    page = f"{base}?{query}" if query else base
    found = [one for one in _read(ctx) if one.query != query]
    if "remove" in typed:
        name = next((one.name for one in _read(ctx) if one.query == query), "")
        return _keeping(ctx, await ctx.see_notice(base, REMOVED, name=name), found)
    name = trimmed(typed.get("name", ""))[:_MAX_NAME]
    if not name:
        return await ctx.see_notice(page, NO_NAME)
    found = [*(one for one in found if one.name != name), SavedFilter(name, query)]
    if len(found) > MOST or len(_written(found)) > _MOST_BYTES:
        return await ctx.see_notice(page, FULL)
    return _keeping(ctx, await ctx.see_notice(page, SAVED, name=name), found)


def _read(ctx: RequestContext) -> list[SavedFilter]:
    text = _cookie(ctx).read(ctx.request.headers.get("cookie"))
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return msgspec.json.decode(data, type=list[SavedFilter]) if text else []
    except ValueError:  # not of this release
        return []


def _keeping(ctx: RequestContext, response: Response, found: Sequence[SavedFilter]) -> Response:
    cookie, secure = _cookie(ctx), ctx.party.origin.startswith("https://")
    written = set_cookie(cookie.name, _written(found), secure=secure, max_age=ONE_YEAR) if found else cookie.clear()
    response.headers.append("Set-Cookie", written)
    return response


def _written(found: Sequence[SavedFilter]) -> str:
    return b64url(msgspec.json.encode(found))


def _cookie(ctx: RequestContext) -> SessionCookie:
    """Of this administrator in this organization."""
    of = hashlib.sha256(f"{ctx.session.sub} {ctx.path['org']}".encode()).hexdigest()[:8]
    return SessionCookie(f"filters-{of}", ctx.party.origin)
