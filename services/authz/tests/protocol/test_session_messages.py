"""Sessions listed and ended over the bus, and what is said of sign-ins."""

from __future__ import annotations

import pytest
from portico_contracts import events
from portico_contracts.authz import END_SESSIONS, LIST_SESSIONS, EndSessions, ListSessions, SessionStates
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_fakes.authz_service import ADA, BOB, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
async def browsers(authz: AuthzService, clock: FrozenClock) -> list[FakeBrowser]:
    """Two browsers of Ada's and one of Bob's, signed in one after the other."""
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
async def test_the_sessions_of_a_user_are_listed_last_used_first(bus: MemoryBus, clock: FrozenClock) -> None:
    """Live ones only, of nobody else."""
    first, second = (await sessions_of(bus)).sessions

    assert (first.used_at, second.used_at) == (clock.now() - 20, clock.now() - 30)
    assert (first.auth_time, first.amr) == (clock.now() - 20, ("pwd",))
    assert len((await sessions_of(bus, BOB.user_id)).sessions) == 1
    assert (await sessions_of(bus, "nobody")).sessions == ()
    clock.tick(86_400)
    assert (await sessions_of(bus)).sessions == ()


async def test_all_sessions_of_a_user_end(authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser]) -> None:
    """IR-08: in every browser, with their tokens, before the answer; nobody else's."""
    sids = {state.session_id for state in (await sessions_of(bus)).sessions}
    ended = await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))

    assert ended.sessions == 2
    assert {asked.session_id for asked in authz.peers.revoked} == sids
    assert [await is_signed_in(browser) for browser in browsers] == [False, False, True]
    assert (await sessions_of(bus)).sessions == ()
    assert (await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))).sessions == 0


async def test_one_session_ends_and_one_is_kept(bus: MemoryBus, browsers: list[FakeBrowser]) -> None:
    """By id, or all but the one a password was changed in (IR-14)."""
    last, first = (state.session_id for state in (await sessions_of(bus)).sessions)
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, but_session_id=first))
    assert [await is_signed_in(browser) for browser in browsers[:2]] == [True, False]

    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, session_ids=(first, last)))
    assert [await is_signed_in(browser) for browser in browsers[:2]] == [False, False]


async def test_a_session_of_somebody_else_is_not_ended(bus: MemoryBus, browsers: list[FakeBrowser]) -> None:
    """P4: the id has to be the user's."""
    [bobs] = (await sessions_of(bus, BOB.user_id)).sessions
    ended = await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id, session_ids=(bobs.session_id,)))

    assert ended.sessions == 0
    assert await is_signed_in(browsers[2])


async def test_without_token_ending_is_unavailable_and_can_be_tried_again(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser]
) -> None:
    """IR-05, P2: the session is gone at once, the answer waits for the tokens."""
    bus.silent.add(REVOKE_SESSION.subject)
    with pytest.raises(ServiceError) as caught:
        await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    assert caught.value.kind is Kind.UNAVAILABLE
    assert not await is_signed_in(browsers[0])

    bus.silent.clear()
    assert (await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))).sessions == 2
    assert len(authz.peers.revoked) == 2


async def test_what_nobody_tries_again_is_done_by_the_queue(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser], clock: FrozenClock
) -> None:
    """P1: an ended session's tokens become inactive whatever became of who ended it."""
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
async def test_a_session_that_was_planned_for_but_not_ended_lives_on(
    authz: AuthzService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """A replica that dies before it ended anything ended nothing."""
    first, second = (state.session_id for state in (await sessions_of(bus)).sessions)
    await authz.stores.endings.plan([first, second], clock.now())
    await authz.back_channel.run_due()

    assert len((await sessions_of(bus)).sessions) == 2
    assert authz.peers.revoked == []
    assert await authz.back_channel.run_due() == 0


async def test_sessions_and_sign_ins_are_said(authz: AuthzService, bus: MemoryBus) -> None:
    """Ids only; a session that is renewed is no news, and each ends once."""
    browser = authz.browser()
    await browser.sign_in()
    await browser.sign_in(prompt="login")
    id = await browser.begin(prompt="login")
    await browser.answer(id, await browser.name(id), password="wrong")
    await authz.teller.settle()
    [sid] = [state.session_id for state in (await sessions_of(bus)).sessions]
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    await authz.back_channel.run_due()
    await authz.back_channel.run_due()
    said = [(subject, body) for subject, body in bus.published]

    assert [subject for subject, _ in said] == [
        events.SESSION_STARTED.subject,
        events.LOGIN_SUCCEEDED.subject,
        events.LOGIN_SUCCEEDED.subject,
        events.LOGIN_FAILED.subject,
        events.SESSION_ENDED.subject,
    ]
    assert (said[0][1].session_id, said[0][1].user_id) == (sid, ADA.user_id)
    assert (said[3][1].user_id, said[3][1].client_id) == ("", "web")
    assert (said[4][1].session_id, said[4][1].user_id) == (sid, ADA.user_id)
    assert len({body.event_id for _, body in said}) == 5


async def test_an_event_that_cannot_be_said_keeps_nobody_from_signing_in(authz: AuthzService, bus: MemoryBus) -> None:
    """The store has the truth; the event is a hint."""
    bus.stream_down = True
    browser = authz.browser()

    assert "code" in (await browser.sign_in()).query
    await authz.teller.settle()
    assert bus.published == []


async def test_the_end_of_a_session_is_said_once_the_stream_is_back(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser], clock: FrozenClock
) -> None:
    """It is owed, like the revocation."""
    await authz.teller.settle()
    bus.published.clear()
    bus.stream_down = True
    await bus.call(END_SESSIONS, EndSessions(user_id=BOB.user_id))
    await authz.back_channel.run_due()
    bus.stream_down = False
    clock.tick(2)
    await authz.back_channel.run_due()

    assert [subject for subject, _ in bus.published] == [events.SESSION_ENDED.subject]
    assert not await is_signed_in(browsers[2])


async def test_signing_in_to_a_session_that_is_ending_begins_another(
    authz: AuthzService, bus: MemoryBus, browsers: list[FakeBrowser]
) -> None:
    """What ended never comes back."""
    before = {state.session_id for state in (await sessions_of(bus)).sessions}
    await bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    await browsers[0].sign_in()
    [after] = (await sessions_of(bus)).sessions

    assert after.session_id not in before
    assert RevokeSession(user_id=ADA.user_id, session_id=after.session_id) not in authz.peers.revoked
