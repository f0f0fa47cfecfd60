from __future__ import annotations

from pathlib import Path

import pytest
from portico_contracts import events
from portico_contracts.authz import END_SESSIONS, LIST_SESSIONS, EndSessions, ListSessions, SessionStates
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_fakes.authz_service import ADA, BOB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.country_database import DUTCH_ADDRESS, write_country_database
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
async def browsers(authz: AuthzService, clock: FrozenClock) -> list[FakeBrowser]:
    browsers = [authz.browser() for _ in range(3)]
    for browser, name in zip(browsers, ("ada", "ada", "bob"), strict=True):
        await browser.sign_in(name)
        clock.tick(10)
    return browsers


async def sessions_of(bus: MemoryBus, user_id: str = ADA.user_id) -> SessionStates:
    return await bus.call(LIST_SESSIONS, ListSessions(user_id=user_id))


async def is_signed_in(browser: FakeBrowser) -> bool:
    return "code" in Landing(await browser.authorize(prompt="none")).query


@pytest.mark.usefixtures("browsers")
async def test_sessions_are_listed_last_used_first(bus: MemoryBus, clock: FrozenClock) -> None:
    first, second = (await sessions_of(bus)).sessions

    assert (first.used_at, second.used_at) == (clock.now() - 20, clock.now() - 30)
    assert (first.auth_time, first.amr) == (clock.now() - 20, ("pwd",))
    assert len((await sessions_of(bus, BOB.user_id)).sessions) == 1
    assert (await sessions_of(bus, "nobody")).sessions == ()
    clock.tick(86_400)
    assert (await sessions_of(bus)).sessions == ()


async def test_session_has_the_device_of_its_sign_in(authz: AuthzService, bus: MemoryBus) -> None:
    """The device is named from a closed list and does not change when the session is used."""
    browser = authz.browser()
    browser.http.headers["User-Agent"] = (
        "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko Firefox/145.0 canary-of-the-agent"
    )
    await browser.sign_in("ada")
    [state] = (await sessions_of(bus)).sessions
    browser.http.headers["User-Agent"] = "curl/8.5.0"
    await browser.authorize(prompt="none")
    [again] = (await sessions_of(bus)).sessions

    assert (state.device, again.device) == ("Firefox, Linux", "Firefox, Linux")


async def test_session_and_event_have_the_country_of_the_sign_in(clock: FrozenClock, tmp_path: Path) -> None:
    """Only the country is stored, and only where a database of countries is configured."""
    database = str(write_country_database(tmp_path))
    for path, address, country in (
        (database, DUTCH_ADDRESS, "NL"),
        (database, "10.1.2.3", ""),
        ("", DUTCH_ADDRESS, ""),
    ):
        bus = MemoryBus()
        authz = AuthzService(clock, bus, geo_database=path)
        browser = authz.browser()
        browser.http.headers["X-Forwarded-For"] = address
        await browser.sign_in("ada")
        await authz.publisher.settle()
        [state] = (await sessions_of(bus)).sessions
        [event] = [body for subject, body in bus.published if subject == events.LOGIN_SUCCEEDED.subject]

        assert (state.country, event.country) == (country, country), (path, address)


async def test_all_sessions_of_a_user_end(authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser]) -> None:
    """Sessions in every browser end with their tokens before the response (IR-08)."""
    sids = {state.session_id for state in (await sessions_of(bus)).sessions}
    ended = await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))

    assert ended.sessions == 2
    assert {asked.session_id for asked in authz.peers.revoked} == sids
    assert [await is_signed_in(browser) for browser in browsers] == [False, False, True]
    assert (await sessions_of(bus)).sessions == ()
    assert (await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))).sessions == 0


async def test_one_session_ends_or_one_remains(bus: MemoryBus, browsers: list[FakeBrowser]) -> None:
    """A session ends by id, or all but the one in which the password was changed (IR-14)."""
    last, first = (state.session_id for state in (await sessions_of(bus)).sessions)
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, but_session_id=first))
    assert [await is_signed_in(browser) for browser in browsers[:2]] == [True, False]

    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, session_ids=(first, last)))
    assert [await is_signed_in(browser) for browser in browsers[:2]] == [False, False]


async def test_session_of_another_user_is_not_ended(bus: MemoryBus, browsers: list[FakeBrowser]) -> None:
    """The id must be one of the user's sessions (P4)."""
    [bobs] = (await sessions_of(bus, BOB.user_id)).sessions
    ended = await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, session_ids=(bobs.session_id,)))

    assert ended.sessions == 0
    assert await is_signed_in(browsers[2])


async def test_without_token_ending_is_unavailable(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser]
) -> None:
    """The session ends at once, and the response is 503 until its tokens are revoked (IR-05, P2)."""
    bus.silent.add(REVOKE_SESSION.subject)
    with pytest.raises(ServiceError) as caught:
        await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    assert caught.value.kind is Kind.UNAVAILABLE
    assert not await is_signed_in(browsers[0])

    bus.silent.clear()
    assert (await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))).sessions == 2
    assert len(authz.peers.revoked) == 2


async def test_queue_completes_the_end_without_a_retry(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser], clock: FrozenClock
) -> None:
    """Tokens of an ended session become inactive although the caller does not retry (P1)."""
    bus.silent.add(REVOKE_SESSION.subject)
    with pytest.raises(ServiceError):
        await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    clock.tick(15)
    await authz.back_channel.run_due()
    assert authz.peers.revoked == []

    bus.silent.clear()
    clock.tick(2)
    await authz.back_channel.run_due()
    assert {asked.user_id for asked in authz.peers.revoked} == {ADA.user_id}
    assert len(authz.peers.revoked) == 2


@pytest.mark.usefixtures("browsers")
async def test_replica_dying_before_the_end_ends_nothing(
    authz: AuthzService, bus: MemoryBus, clock: FrozenClock
) -> None:
    first, second = (state.session_id for state in (await sessions_of(bus)).sessions)
    await authz.stores.logout_queue.enqueue([first, second], clock.now())
    await authz.back_channel.run_due()

    assert len((await sessions_of(bus)).sessions) == 2
    assert authz.peers.revoked == []
    assert await authz.back_channel.run_due() == 0


async def test_sessions_and_sign_ins_are_published(authz: AuthzService, bus: MemoryBus) -> None:
    """Events contain ids only, a renewed session causes none, and each end is published once."""
    browser = authz.browser()
    await browser.sign_in()
    await browser.sign_in(prompt="login")
    id = await browser.begin(prompt="login")
    await browser.answer(id, await browser.name(id), password="wrong")
    await authz.publisher.settle()
    [sid] = [state.session_id for state in (await sessions_of(bus)).sessions]
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    await authz.back_channel.run_due()
    await authz.back_channel.run_due()
    events_published = [(subject, body) for subject, body in bus.published]

    assert [subject for subject, _ in events_published] == [
        events.SESSION_STARTED.subject,
        events.LOGIN_SUCCEEDED.subject,
        events.LOGIN_SUCCEEDED.subject,
        events.LOGIN_FAILED.subject,
        events.SESSION_ENDED.subject,
    ]
    assert (events_published[0][1].session_id, events_published[0][1].user_id) == (sid, ADA.user_id)
    assert (events_published[3][1].user_id, events_published[3][1].client_id) == (ADA.user_id, "web")
    assert [body.methods for _, body in events_published[1:4]] == [("pwd",), ("pwd",), ()]
    assert events_published[3][1].failure == SignInFailure.WRONG_PASSWORD
    assert (events_published[4][1].session_id, events_published[4][1].user_id) == (sid, ADA.user_id)
    assert len({body.event_id for _, body in events_published}) == 5


async def test_failed_event_prevents_no_sign_in(authz: AuthzService, bus: MemoryBus) -> None:
    bus.stream_down = True
    browser = authz.browser()

    assert "code" in (await browser.sign_in()).query
    await authz.publisher.settle()
    assert bus.published == []


async def test_end_of_a_session_is_published_later(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser], clock: FrozenClock
) -> None:
    """The event is retried from the queue, like the revocation."""
    await authz.publisher.settle()
    bus.published.clear()
    bus.stream_down = True
    await bus.call(END_SESSIONS, EndSessions(user_id=BOB.user_id, actor="u-admin"))
    await authz.back_channel.run_due()
    bus.stream_down = False
    clock.tick(2)
    await authz.back_channel.run_due()

    assert [(subject, body.actor) for subject, body in bus.published] == [(events.SESSION_ENDED.subject, "u-admin")]
    assert not await is_signed_in(browsers[2])


async def test_sign_in_while_a_session_ends_starts_another(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser]
) -> None:
    before = {state.session_id for state in (await sessions_of(bus)).sessions}
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    await browsers[0].sign_in()
    [after] = (await sessions_of(bus)).sessions

    assert after.session_id not in before
    assert RevokeSession(user_id=ADA.user_id, session_id=after.session_id) not in authz.peers.revoked
