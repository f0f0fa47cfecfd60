"""Who is behind a cookie: the browser, and the sessions in it that count."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from portico_contracts.users import Factor

from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session
from portico_authz.session.allowed_factors import allowed_factors


class SignedIn(NamedTuple):
    """Who is signed in with a browser.

    Attributes:
        sessions: that are live, of users who are active at this moment.
        factors: what those users have besides a password, by user id.
    """

    sessions: list[Session]
    factors: dict[str, tuple[Factor, ...]]


async def find_signed_in(desk: Desk, browser: Browser | None) -> SignedIn:
    """The sessions of a browser, and what users says about the people at this moment (P3)."""
    if browser is None:
        return SignedIn([], {})
    questions = [_find_session(desk, browser, sid) for sid in browser.session_ids]
    # Nearly every browser has one session: that needs no tasks.
    found = await asyncio.gather(*questions) if len(questions) > 1 else [await question for question in questions]
    mine = [one for one in found if one is not None]
    return SignedIn([session for session, _ in mine], {session.user_id: factors for session, factors in mine})


async def list_endable(desk: Desk, browser: Browser | None) -> list[Session]:
    """The sessions of a browser somebody can sign out of, whatever became of their users.

    One that was ended counts as long as its tokens may be active: who was told to try again must be able to.
    """
    if browser is None:
        return []
    found = await asyncio.gather(*(desk.stores.sessions.find(sid) for sid in browser.session_ids))
    mine = [session for session in found if session is not None and session.browser_id == browser.id]
    return [session for session in mine if await is_endable(desk, session)]


async def is_endable(desk: Desk, session: Session) -> bool:
    """It is live, or it ended and its tokens may be active still."""
    if not session.ended:
        return session.is_live(desk.clock.now())
    ending = await desk.stores.endings.find(session.sid)
    return ending is not None and not ending.revoked


async def _find_session(desk: Desk, browser: Browser, sid: str) -> tuple[Session, tuple[Factor, ...]] | None:
    session = await desk.stores.sessions.find(sid)
    if session is None or session.browser_id != browser.id or not session.is_live(desk.clock.now()):
        return None
    user = await desk.directory.find_user(session.user_id)
    return (session, await allowed_factors(desk, user)) if user else None
