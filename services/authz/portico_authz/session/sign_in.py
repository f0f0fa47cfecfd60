from __future__ import annotations

from dataclasses import dataclass, field, replace

from portico_contracts.users import User
from portico_oauth.assurance import acr_of
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import NewCode
from portico_authz.domain.progress import Progress
from portico_authz.domain.session import Session
from portico_authz.event_publisher import SignInOrigin


@dataclass(frozen=True, slots=True)
class Started:
    """A stored session; `code` is stored with it, empty for none."""

    session: Session
    is_new: bool = False
    code: str = field(default="", repr=False)


async def new_session(
    deps: Dependencies,
    browser: Browser,
    user: User,
    progress: Progress,
    sid: str,
    origin: SignInOrigin,
    *,
    began: float,
) -> Session:
    """The session of an authentication: that of the user in this browser, or one with the given sid.

    ``began`` (unix seconds) is when the sign-in began, in which factors may have been added.
    """
    known = await _find_session(deps, browser, user)
    new = _new_session(deps, browser, user, progress, known.sid if known else sid)
    began = (known.began or known.auth_time) if known else began
    return replace(new, device=origin.device, country=origin.country, began=began)


async def start_session(deps: Dependencies, browser: Browser, session: Session, code: NewCode | None) -> Started:
    """Session and code are unreachable until the browser's handle is rotated."""
    again, seconds = session.sid in browser.session_ids, session.seconds_left(deps.clock.now())
    if code:
        if await deps.stores.codes.issue_first(code, session, seconds, again=again):
            return Started(session, not again, code.code)
    elif await deps.stores.sessions.save(session, seconds, again=again):
        return Started(session, not again)
    # A concurrent logout ended it.
    session = replace(session, sid=new_opaque(bucket_of(session.user_id), deps.random))
    await deps.stores.sessions.save(session, seconds)
    return Started(session, is_new=True)


async def step_up_session(deps: Dependencies, browser: Browser, user: User, progress: Progress) -> Session | None:
    """Adds a second factor to a session without changing its times; None when it ended."""
    now = deps.clock.now()
    found = await deps.stores.sessions.find(progress.step_up)
    if not found or found.user_id != user.user_id or found.browser_id != browser.id or not found.is_live(now):
        return None
    session = replace(
        found,
        amr=progress.amr,
        acr=acr_of(progress.amr, device_bound=progress.device_bound),
        idle_until=now + deps.lifetimes.session_idle,
        factor_until=_factor_until(deps, progress),
    )
    saved = await deps.stores.sessions.save(session, session.seconds_left(now), again=True)
    return session if saved else None


def _factor_until(deps: Dependencies, progress: Progress) -> float:
    if not progress.second:
        return 0.0
    at = progress.own_page.second_at if progress.own_page else 0.0
    return (at or deps.clock.now()) + deps.lifetimes.second_factor


def _new_session(deps: Dependencies, browser: Browser, user: User, progress: Progress, sid: str) -> Session:
    now, first_at = deps.clock.now(), progress.own_page.first_at if progress.own_page else 0.0
    return Session(
        sid=sid,
        user_id=user.user_id,
        org_id=user.org_id,
        login_name=user.login_name,
        browser_id=browser.id,
        auth_time=min(first_at or progress.auth_time or now, now),
        amr=progress.amr,
        acr=acr_of(progress.amr, device_bound=progress.device_bound),
        ends_at=now + deps.lifetimes.session,
        idle_until=now + deps.lifetimes.session_idle,
        factor_until=_factor_until(deps, progress),
        typed=progress.shown_name,
        external_factor=progress.external_factor,
        emailed=progress.emailed,
        age_proven=bool(progress.auth_time) or progress.second,
        signed_in_at=min(first_at or now, now),
    )


async def _find_session(deps: Dependencies, browser: Browser, user: User) -> Session | None:
    now = deps.clock.now()
    for sid in browser.session_ids:
        found = await deps.stores.sessions.find(sid)
        if found and found.user_id == user.user_id and found.browser_id == browser.id and found.is_live(now):
            return found
    return None
