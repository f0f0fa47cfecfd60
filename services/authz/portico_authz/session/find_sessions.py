from __future__ import annotations

import asyncio
from typing import NamedTuple

from portico_contracts.users import Factor, LoginPolicy, Place, PlaceAction, User

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.factors import allowed_factors_of
from portico_authz.domain.session import Session
from portico_authz.session.places import demands_factor_at, judge_place
from portico_authz.session.trusted_devices import is_trusted


class SignedIn(NamedTuple):
    """`sessions` are live, of active users; `forced` are users whose organization requires a second factor.

    `trusted` are users without a current second factor who trust this browser.
    """

    sessions: list[Session]
    factors: dict[str, tuple[Factor, ...]]
    forced: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()


class _Found(NamedTuple):
    session: Session
    factors: tuple[Factor, ...]
    forced: bool
    trusted: bool


async def find_signed_in(deps: Dependencies, browser: Browser | None, place: Place | None = None) -> SignedIn:
    """Returns the live sessions of a browser with the current data of their users (P3).

    With the place where they are to be used, without those that the organization refuses there.
    """
    if browser is None or not browser.session_ids:
        return SignedIn([], {})
    questions = [_find_session(deps, browser, sid, place) for sid in browser.session_ids]
    # Nearly every browser has one session, which needs no tasks.
    found = await asyncio.gather(*questions) if len(questions) > 1 else [await question for question in questions]
    live = [one for one in found if one is not None]
    return SignedIn(
        [one.session for one in live],
        {one.session.user_id: one.factors for one in live},
        frozenset(one.session.user_id for one in live if one.forced),
        frozenset(one.session.user_id for one in live if one.trusted),
    )


async def list_endable(deps: Dependencies, browser: Browser | None) -> list[Session]:
    """Includes sessions of deleted users, and ended ones whose tokens may be active (retried logout)."""
    if browser is None:
        return []
    found = await asyncio.gather(*(deps.stores.sessions.find(sid) for sid in browser.session_ids))
    stored = [session for session in found if session is not None and session.browser_id == browser.id]
    return [session for session in stored if await is_endable(deps, session)]


async def is_endable(deps: Dependencies, session: Session) -> bool:
    """Returns True for a live session, and for an ended one whose tokens may still be active."""
    if not session.ended:
        return session.is_live(deps.clock.now())
    ended_session = await deps.stores.logout_queue.find(session.sid)
    return ended_session is not None and not ended_session.revoked


async def _find_session(deps: Dependencies, browser: Browser, sid: str, place: Place | None) -> _Found | None:
    session = await deps.stores.sessions.find(sid)
    if session is None or session.browser_id != browser.id or not session.is_live(deps.clock.now()):
        return None
    user = await deps.users_client.find_user(session.user_id, session.version)
    if user is None:
        return None
    policy = await deps.users_client.login_policy(user.org_id)
    demanded = place is not None and demands_factor_at(policy, place)
    if place is not None and not await _may_be_used(deps, policy, place, user):
        return None
    expired = deps.clock.now() >= session.factor_until
    trusted = expired and not demanded and await is_trusted(deps, browser, user, policy)
    current = session.with_name(user.login_name)
    return _Found(current, allowed_factors_of(user.factors, policy), policy.force_mfa or demanded, trusted)


async def _may_be_used(deps: Dependencies, policy: LoginPolicy, place: Place, user: User) -> bool:
    return (await judge_place(deps, policy, place, user.user_id)).action is not PlaceAction.REFUSE
