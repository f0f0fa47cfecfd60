"""Somebody proved who they are: the session begins or is renewed."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.users import User
from portico_oauth.assurance import acr_of
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session


async def begin_session(desk: Desk, browser: Browser, user: User, progress: Progress, sid: str) -> tuple[Session, bool]:
    """Keeps the session of a user who just authenticated. Nobody has it before the browser's handle is renewed.

    Args:
        progress: what was done to authenticate, and nothing else.
        sid: of the session, where this user has none in this browser.

    Returns:
        The session, and whether it is a new one.
    """
    known = await _find_sid(desk, browser, user)
    session = _new_session(desk, browser, user, progress, known or sid)
    seconds = session.seconds_left(desk.clock.now())
    if not await desk.stores.sessions.save(session, seconds):
        # Somebody signed out of it at the same moment.
        known, session = None, replace(session, sid=_new_sid(desk, user))
        await desk.stores.sessions.save(session, seconds)
    return session, known is None


async def strengthen_session(desk: Desk, browser: Browser, user: User, progress: Progress) -> Session | None:
    """Adds a second factor to a session; when it began, and when it ends, stays as it is. None when it ended."""
    now = desk.clock.now()
    found = await desk.stores.sessions.find(progress.step_up)
    if not found or found.user_id != user.user_id or found.browser_id != browser.id or not found.is_live(now):
        return None
    session = replace(
        found,
        amr=progress.amr,
        acr=acr_of(progress.amr),
        idle_until=now + desk.lifetimes.session_idle,
        factor_until=_factor_until(desk, progress),
    )
    return session if await desk.stores.sessions.save(session, session.seconds_left(now)) else None


def _factor_until(desk: Desk, progress: Progress) -> float:
    return desk.clock.now() + desk.lifetimes.second_factor if progress.second else 0.0


def _new_sid(desk: Desk, user: User) -> str:
    return new_opaque(bucket_of(user.user_id), desk.random)


def _new_session(desk: Desk, browser: Browser, user: User, progress: Progress, sid: str) -> Session:
    now = desk.clock.now()
    return Session(
        sid=sid,
        user_id=user.user_id,
        org_id=user.org_id,
        login_name=user.login_name,
        browser_id=browser.id,
        auth_time=now,
        amr=progress.amr,
        acr=acr_of(progress.amr),
        ends_at=now + desk.lifetimes.session,
        idle_until=now + desk.lifetimes.session_idle,
        factor_until=_factor_until(desk, progress),
        typed=progress.shown_name,
    )


async def _find_sid(desk: Desk, browser: Browser, user: User) -> str | None:
    """The sid of this account in this browser, so that it stays the same until logout."""
    now = desk.clock.now()
    for sid in browser.session_ids:
        found = await desk.stores.sessions.find(sid)
        if found and found.user_id == user.user_id and found.browser_id == browser.id and found.is_live(now):
            return sid
    return None
