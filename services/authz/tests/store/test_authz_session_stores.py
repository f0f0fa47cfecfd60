from __future__ import annotations

import secrets
from dataclasses import replace

from portico_authz.domain.code import Claim, ClaimOutcome, CodeRecord, IssueResult, NewCode, PresentedCode
from portico_authz.domain.ended_session import EndedSession
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.domain.ports import Stores
from portico_authz.domain.session import Session
from portico_fakes.authz_samples import browser_and_handle, grant_of, opaque, session_of
from portico_fakes.clock import FrozenClock

REDIRECT = "https://app.example.test/cb"
RIGHT = PresentedCode("web", REDIRECT, has_verifier=False, challenge="")


async def used_session(authz_stores: Stores, *clients: str, user_id: str = "") -> Session:
    """Returns a session of a new user, used for these clients."""
    session = session_of(user_id or f"u-{secrets.token_hex(8)}")
    assert await authz_stores.sessions.save(session, 3_600)
    for client_id in clients:
        assert await authz_stores.sessions.use(session, client_id, 1_000.0)
    return session


async def test_using_a_session_extends_its_idle_time_only(authz_stores: Stores) -> None:
    session = await used_session(authz_stores)
    used = replace(session, idle_until=session.idle_until + 500, auth_time=0.0)

    assert await authz_stores.sessions.use(used, "web", 1_000.0)
    assert await authz_stores.sessions.find(session.sid) == replace(session, idle_until=used.idle_until)
    assert not await authz_stores.sessions.use(session_of("u-nobody"), "web", 1_000.0)


async def test_sessions_of_a_user_are_listed(authz_stores: Stores) -> None:
    first = await used_session(authz_stores)
    second = await used_session(authz_stores, user_id=first.user_id)
    await authz_stores.sessions.save(replace(first, auth_time=first.auth_time + 5), 3_600)
    await used_session(authz_stores)

    assert sorted(await authz_stores.sessions.list_sids(first.user_id)) == sorted([first.sid, second.sid])
    assert await authz_stores.sessions.list_sids("u-nobody") == ()


async def test_ended_session_never_comes_back(authz_stores: Stores, clock: FrozenClock) -> None:
    """An ended session is found as ended and can be neither saved, used nor given a code (IR-14)."""
    session = await used_session(authz_stores)
    await authz_stores.sessions.end(session.sid, 60)
    record = CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    code = opaque(session.sid[:2])

    assert await authz_stores.sessions.find(session.sid) == replace(session, ended=True)
    assert not await authz_stores.sessions.save(session, 3_600)
    assert not await authz_stores.sessions.use(session, "web", 1_000.0)
    assert await authz_stores.codes.issue(code, record, session, clock.now()) is IssueResult.SESSION_ENDED
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(ClaimOutcome.UNKNOWN)
    assert await authz_stores.sessions.find(session.sid) == replace(session, ended=True)


async def test_deleted_session_never_comes_back(authz_stores: Stores, clock: FrozenClock) -> None:
    """A session that was read before its logout was completed is not stored again, and gets no code (IR-14)."""
    session, other = await used_session(authz_stores), await used_session(authz_stores)
    await authz_stores.sessions.end(session.sid, 60)
    await authz_stores.logout_queue.complete(session.sid)
    record = CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    first = NewCode(opaque(session.sid[:2]), record)

    assert not await authz_stores.sessions.save(session, 3_600, again=True)
    assert not await authz_stores.codes.issue_first(first, session, 3_600, again=True)
    assert await authz_stores.sessions.find(session.sid) is None
    assert await authz_stores.codes.claim(first.code, RIGHT, clock.now()) == Claim(ClaimOutcome.UNKNOWN)
    assert await authz_stores.sessions.save(replace(other, auth_time=5.0), 3_600, again=True)
    assert await authz_stores.sessions.find(other.sid) == replace(other, auth_time=5.0)


async def test_ending_an_unknown_session_stores_nothing(authz_stores: Stores) -> None:
    sid = opaque()
    await authz_stores.sessions.end(sid, 60)

    assert await authz_stores.sessions.find(sid) is None
    assert await authz_stores.logout_queue.find(sid) is None


async def test_ended_session_lists_its_due_notifications(authz_stores: Stores, clock: FrozenClock) -> None:
    session = await used_session(authz_stores, "spa", "w:e b")
    record = CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    assert await authz_stores.codes.issue(opaque(session.sid[:2]), record, session, clock.now()) is IssueResult.ISSUED
    assert await authz_stores.logout_queue.find(session.sid) is None
    await authz_stores.sessions.end(session.sid, 60)
    ended = replace(session, ended=True)
    assert await authz_stores.logout_queue.find(session.sid) == EndedSession(ended, ("spa", "w:e b", "web"))

    await authz_stores.logout_queue.set_published(session.sid)
    await authz_stores.logout_queue.set_notified(session.sid, ["spa", "web"])
    await authz_stores.logout_queue.set_notified(session.sid, [])
    assert [await authz_stores.logout_queue.count_attempt(session.sid) for _ in range(2)] == [1, 2]
    assert await authz_stores.sessions.list_sids(session.user_id) == (session.sid,)
    await authz_stores.logout_queue.set_revoked(session)
    assert await authz_stores.sessions.list_sids(session.user_id) == ()
    assert await authz_stores.logout_queue.find(session.sid) == EndedSession(
        ended, ("w:e b",), revoked=True, published=True, attempts=2
    )


async def test_ended_session_names_its_first_client_and_user(authz_stores: Stores) -> None:
    """The client whose server, or the user who, ended a session first is stored."""
    by_server, by_browser = await used_session(authz_stores), await used_session(authz_stores)
    await authz_stores.sessions.end(by_server.sid, 60, "w:e b")
    await authz_stores.sessions.end(by_server.sid, 60, "other")
    await authz_stores.sessions.end(by_browser.sid, 60, actor="u-admin")
    await authz_stores.sessions.end(by_browser.sid, 60, "other")
    endings = [await authz_stores.logout_queue.find(one.sid) for one in (by_server, by_browser)]

    assert [ended_session.ended_by for ended_session in endings if ended_session] == ["w:e b", ""]
    assert [ended_session.actor for ended_session in endings if ended_session] == ["", "u-admin"]


async def test_completing_deletes_session_and_entry(authz_stores: Stores) -> None:
    """A live session is never deleted by it."""
    deleted, live = await used_session(authz_stores), await used_session(authz_stores)
    await authz_stores.sessions.end(deleted.sid, 60)
    due = 5_000.0
    await authz_stores.logout_queue.enqueue([deleted.sid, live.sid], due)
    for session in (deleted, live):
        await authz_stores.logout_queue.complete(session.sid)

    assert await authz_stores.sessions.find(deleted.sid) is None
    assert await authz_stores.sessions.find(live.sid) == live
    assert not {deleted.sid, live.sid} & set(await authz_stores.logout_queue.claim(due, due + 60, 1_000))


async def test_due_session_is_claimed_once(authz_stores: Stores) -> None:
    """A claim expires, and a later queue entry replaces an earlier one."""
    own = {(await used_session(authz_stores)).sid for _ in range(3)}
    due = 9_000.0
    await authz_stores.logout_queue.enqueue(sorted(own), due)

    assert not own & set(await authz_stores.logout_queue.claim(due - 1, due, 1_000))
    assert own <= set(await authz_stores.logout_queue.claim(due, due + 60, 1_000))
    assert not own & set(await authz_stores.logout_queue.claim(due + 59, due + 60, 1_000))
    again = min(own)
    await authz_stores.logout_queue.enqueue([again], due + 10)
    assert own & set(await authz_stores.logout_queue.claim(due + 10, due + 70, 1_000)) == {again}
    assert own - {again} <= set(await authz_stores.logout_queue.claim(due + 60, due + 120, 1_000))
    for sid in own:
        await authz_stores.logout_queue.complete(sid)


async def test_next_time_is_that_of_the_earliest_session(authz_stores: Stores) -> None:
    sids = [(await used_session(authz_stores)).sid for _ in range(2)]
    await authz_stores.logout_queue.enqueue([sids[0]], -3_000.0)
    await authz_stores.logout_queue.enqueue([sids[1]], -2_000.0)

    assert await authz_stores.logout_queue.find_next_time() == -3_000.0
    await authz_stores.logout_queue.complete(sids[0])
    assert await authz_stores.logout_queue.find_next_time() == -2_000.0
    await authz_stores.logout_queue.complete(sids[1])


async def test_claims_are_limited_to_the_requested_number(authz_stores: Stores) -> None:
    """The earliest sessions are claimed first (P8)."""
    sids = [(await used_session(authz_stores)).sid for _ in range(4)]
    for position, sid in enumerate(sids):
        await authz_stores.logout_queue.enqueue([sid], -1_000.0 + position)

    assert list(await authz_stores.logout_queue.claim(-990.0, 60.0, 2)) == sids[:2]
    for sid in sids:
        await authz_stores.logout_queue.complete(sid)


async def test_browser_record_is_replaced_and_deleted(authz_stores: Stores) -> None:
    """A deleted handle is not created again."""
    browser, handle = browser_and_handle()
    await authz_stores.browsers.create(handle, browser.with_session("a").with_session("b"), 60)
    left = browser.with_session("a")
    await authz_stores.browsers.replace(handle, left)
    assert await authz_stores.browsers.find(handle) == left

    await authz_stores.browsers.delete(handle)
    await authz_stores.browsers.replace(handle, left)
    assert await authz_stores.browsers.find(handle) is None


async def test_pending_logout_is_consumed_once(authz_stores: Stores) -> None:
    """Its CSRF value works once, like that of an authorization request (LG-14)."""
    request = PendingLogout(opaque(), "browser", "web", "https://x.test/\u00fc", "s", ("de",))
    await authz_stores.logouts.create(request, 60)
    assert await authz_stores.logouts.find(request.id) == request
    assert not await authz_stores.logouts.replace_csrf(request.id, "", "x")

    assert [await authz_stores.logouts.ensure_csrf(request.id, one) for one in ("one", "two")] == ["one", "one"]
    assert await authz_stores.logouts.replace_csrf(request.id, "one", "three")
    assert not await authz_stores.logouts.replace_csrf(request.id, "one", "x")
    assert await authz_stores.logouts.find(request.id) == replace(request, csrf="three")
    assert [await authz_stores.logouts.consume(request.id) for _ in range(2)] == [True, False]
    assert await authz_stores.logouts.ensure_csrf(request.id, "x") is None
    assert await authz_stores.logouts.find(request.id) is None
