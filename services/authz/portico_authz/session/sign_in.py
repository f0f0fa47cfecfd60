"""Somebody proved who they are: the session begins or is renewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from portico_contracts.users import User
from portico_oauth.assurance import acr_of
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session


async def begin_session(desk: Desk, browser: Browser, user: User, amr: Sequence[str], sid: str) -> tuple[Session, bool]:
    """Keeps the session of a user who just authenticated. Nobody has it before the browser's handle is renewed.

    Args:
        amr: what was done to authenticate, and nothing else.
        sid: of the session, where this user has none in this browser.

    Returns:
        The session, and whether it is a new one.
    """
    known = await _find_sid(desk, browser, user)
    session = _new_session(desk, browser, user, tuple(amr), known or sid)
    seconds = session.seconds_left(desk.clock.now())
    if not await desk.stores.sessions.save(session, seconds):
        # Somebody signed out of it at the same moment.
        known, session = None, replace(session, sid=_new_sid(desk, user))
        await desk.stores.sessions.save(session, seconds)
    return session, known is None


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
