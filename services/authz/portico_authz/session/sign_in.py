"""Somebody proved who they are: the session begins or is renewed, and the browser gets a new handle (LG-11).

The new handle comes last: until then everything can be done again with the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from portico_contracts.users import User
from portico_oauth.assurance import acr_of
from portico_oauth.errors import Fact, Kind
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session

HANDLE_CHANGED = Fact(
    "AUTHZ-028",
    Kind.PRECONDITION,
    "Somebody signed in with this browser at the same moment.",
    "Open the page again.",
)


async def begin_session(desk: Desk, browser: Browser, user: User, amr: Sequence[str]) -> Session:
    """Keeps the session of a user who just authenticated. Nobody has it before the browser's handle is renewed.

    Args:
        amr: what was done to authenticate, and nothing else.
    """
    known = await _find_sid(desk, browser, user)
    session = _new_session(desk, browser, user, tuple(amr), known or _new_sid(desk, user))
    seconds = session.seconds_left(desk.clock.now())
    if not await desk.stores.sessions.save(session, seconds):
        # Somebody signed out of it at the same moment.
        known, session = None, replace(session, sid=_new_sid(desk, user))
        await desk.stores.sessions.save(session, seconds)
    if known is None:
        desk.teller.say_session_started(session.sid, user.user_id)
    return session


async def renew_handle(desk: Desk, browser: Browser, handle: str, session: Session) -> str:
    """Puts the session into its browser and answers the browser's new handle; the old one is worth nothing.

    Raises:
        Refusal: AUTHZ-028 when the handle changed meanwhile; nothing of this sign-in can be used then.
    """
    renewed = browser.new_handle(desk.random)
    kept = browser.with_session(session.sid)
    if not await desk.stores.browsers.rotate(handle, renewed, kept, desk.lifetimes.session):
        raise HANDLE_CHANGED.refusal()
    return renewed


async def renew_handle_only(desk: Desk, browser: Browser, handle: str) -> str:
    """The browser's new handle after a proof that is not yet the end of the sign-in (LG-11).

    Raises:
        Refusal: AUTHZ-028, as `renew_handle`.
    """
    renewed = browser.new_handle(desk.random)
    if not await desk.stores.browsers.rotate(handle, renewed, browser, desk.lifetimes.session):
        raise HANDLE_CHANGED.refusal()
    return renewed


def _new_sid(desk: Desk, user: User) -> str:
    return new_opaque(bucket_of(user.user_id), desk.random)


def _new_session(desk: Desk, browser: Browser, user: User, amr: tuple[str, ...], sid: str) -> Session:
    now = desk.clock.now()
    return Session(
        sid=sid,
        user_id=user.user_id,
        org_id=user.org_id,
        login_name=user.login_name,
        browser_id=browser.id,
        auth_time=now,
        amr=amr,
        acr=acr_of(amr),
        ends_at=now + desk.lifetimes.session,
        idle_until=now + desk.lifetimes.session_idle,
    )


async def _find_sid(desk: Desk, browser: Browser, user: User) -> str | None:
    """The sid of this account in this browser, so that it stays the same until logout."""
    now = desk.clock.now()
    for sid in browser.session_ids:
        found = await desk.stores.sessions.find(sid)
        if found and found.user_id == user.user_id and found.browser_id == browser.id and found.is_live(now):
            return sid
    return None
