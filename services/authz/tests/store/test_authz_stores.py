"""One conformance suite for the stores of authz: in memory and on a real Redis."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser, new_browser
from portico_authz.domain.code import Claim, CodeRecord, Outcome, Presented
from portico_authz.domain.ports import Stores
from portico_authz.domain.session import Session
from portico_authz.store import redis_stores
from portico_contracts.authz import CodeGrant
from portico_oauth.opaque import bucket_of, new_opaque
from portico_runtime.redis_client import RedisClient
from portico_testing.clock import FrozenClock
from portico_testing.memory_authz import memory_authz_stores
from portico_testing.servers import RunningRedis

MADE_UP = "00" + "A" * 43
STRANGE = ["", "x", MADE_UP, "zz" + "A" * 43, "{00}*?[a]", "\u00fc", "a" * 5_000]
REDIRECT = "https://app.example.test/cb"
RIGHT = Presented("web", REDIRECT, has_verifier=False, challenge="")


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.servers)])
async def stores(request: pytest.FixtureRequest, clock: FrozenClock) -> AsyncIterator[Stores]:
    if request.param == "memory":
        yield memory_authz_stores(clock)
        return
    server: RunningRedis = request.getfixturevalue("redis_server")
    client = RedisClient(server.section("authz"), "authz")
    yield redis_stores(client)
    await client.close()


def opaque(bucket: str = "7f") -> str:
    return new_opaque(bucket, secrets.token_bytes)


def browser_and_handle() -> tuple[Browser, str]:
    browser = new_browser(secrets.token_bytes)
    return browser, browser.new_handle(secrets.token_bytes)


def session_of(user_id: str = "u-ada", now: float = 1_000.0) -> Session:
    return Session(
        sid=opaque(bucket_of(user_id)),
        user_id=user_id,
        org_id="org-1",
        login_name="\u00e4da@example.test",
        browser_id="browser",
        auth_time=now - 0.25,
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        ends_at=now + 86_400,
        idle_until=now + 3_600.5,
    )


def request_of() -> AuthRequest:
    parameters = {"client_id": "web", "state": "\u00fc\r\n\"'{}"}
    return AuthRequest(opaque(), "browser", parameters, began=1_000.25, hint_subject="u-ada", prefill="ada")


async def issued(stores: Stores, clock: FrozenClock, *, challenge: str = "") -> tuple[str, CodeGrant]:
    session = session_of(now=clock.now())
    await stores.sessions.save(session, 3_600)
    code, grant = opaque(session.sid[:2]), grant_of(session)
    record = CodeRecord(REDIRECT, challenge, clock.now() + 60, grant)
    assert await stores.codes.issue(code, record, session, clock.now())
    return code, grant


def grant_of(session: Session) -> CodeGrant:
    return CodeGrant(
        grant_id=opaque(session.sid[:2]),
        client_id="web",
        user_id=session.user_id,
        session_id=session.sid,
        scope=("openid", "email"),
        auth_time=int(session.auth_time),
        amr=session.amr,
        acr=session.acr,
        nonce='n"\u00fc',
    )


async def test_a_browser_is_found_by_its_handle(stores: Stores) -> None:
    """As it was kept; not by its id."""
    browser, handle = browser_and_handle()
    await stores.browsers.create(handle, browser, 60)

    assert await stores.browsers.find(handle) == browser
    assert await stores.browsers.find(browser.id) is None


async def test_a_rotated_handle_finds_nothing_any_more(stores: Stores) -> None:
    """LG-11: the record moves to the new handle, once."""
    browser, old = browser_and_handle()
    await stores.browsers.create(old, browser, 60)
    moved, new = browser.with_session("sid-1"), browser.new_handle(secrets.token_bytes)

    assert await stores.browsers.rotate(old, new, moved, 60)
    assert await stores.browsers.find(old) is None
    assert await stores.browsers.find(new) == moved
    late = browser.new_handle(secrets.token_bytes)
    assert not await stores.browsers.rotate(old, late, browser, 60)
    assert await stores.browsers.find(late) is None


async def test_extending_an_unknown_browser_makes_none(stores: Stores) -> None:
    """Only what is there can be kept longer."""
    await stores.browsers.extend(MADE_UP, 60)

    assert await stores.browsers.find(MADE_UP) is None


async def test_a_session_is_found_as_it_was_saved(stores: Stores) -> None:
    """And replaced when it is saved again."""
    session = session_of()
    await stores.sessions.save(session, 60)
    again = replace(session, auth_time=1_500.5, idle_until=9_999.25)
    assert await stores.sessions.find(session.sid) == session

    await stores.sessions.save(again, 60)
    assert await stores.sessions.find(session.sid) == again


async def test_a_request_is_found_as_it_was_kept_and_changed(stores: Stores) -> None:
    """Each change sets what it names and leaves the rest."""
    request = request_of()
    await stores.requests.create(request, 60)
    assert await stores.requests.find(request.id) == request

    assert await stores.requests.change(request.id, login_name="\u00e4da")
    assert await stores.requests.change(request.id, signed_in="sid-1")
    assert await stores.requests.find(request.id) == replace(request, login_name="\u00e4da", signed_in="sid-1")
    assert await stores.requests.change(request.id, login_name="", denied=True)
    assert await stores.requests.find(request.id) == replace(request, signed_in="sid-1", denied=True)


async def test_a_csrf_value_stays_until_it_is_swapped(stores: Stores) -> None:
    """LG-14: arming again keeps it, swapping uses it up."""
    request = request_of()
    await stores.requests.create(request, 60)

    assert not await stores.requests.swap(request.id, "", "x")
    assert await stores.requests.arm(request.id, "one") == "one"
    assert await stores.requests.arm(request.id, "two") == "one"
    assert not await stores.requests.swap(request.id, "two", "x")
    assert await stores.requests.swap(request.id, "one", "three")
    assert not await stores.requests.swap(request.id, "one", "x")
    found = await stores.requests.find(request.id)
    assert found is not None
    assert found.csrf == "three"


async def test_a_request_is_consumed_once(stores: Stores) -> None:
    """And is gone for everything afterwards; nothing brings it back."""
    request = request_of()
    await stores.requests.create(request, 60)

    assert [await stores.requests.consume(request.id) for _ in range(3)] == [True, False, False]
    assert await stores.requests.find(request.id) is None
    assert await stores.requests.arm(request.id, "x") is None
    assert not await stores.requests.swap(request.id, "x", "y")
    assert not await stores.requests.change(request.id, login_name="x")
    assert await stores.requests.find(request.id) is None


async def test_a_parked_post_can_be_read_again(stores: Stores) -> None:
    """A reload is no reuse: it holds what the application said, nothing secret."""
    id, parameters = opaque(), {"state": "\u00fc", "client_id": "web"}
    await stores.parked.park(id, parameters, 60)

    assert await stores.parked.find(id) == await stores.parked.find(id) == parameters


@pytest.mark.parametrize("text", STRANGE)
async def test_text_that_is_no_identifier_finds_nothing(stores: Stores, text: str) -> None:
    """P5: caller-chosen text never becomes a key."""
    assert await stores.browsers.find(text) is None
    assert await stores.sessions.find(text) is None
    assert await stores.requests.find(text) is None
    assert await stores.parked.find(text) is None
    assert await stores.codes.claim(text, RIGHT, 0.0) == Claim(Outcome.UNKNOWN)


async def test_a_code_is_claimed_once_and_leaves_a_mark(stores: Stores, clock: FrozenClock) -> None:
    """TK-03: the winner gets the grant, everybody later its id, past the code's own life."""
    code, grant = await issued(stores, clock)

    assert await stores.codes.claim(code, RIGHT, clock.now()) == Claim(Outcome.CLAIMED, grant=grant)
    for later in (0, 30, 600):
        spent = await stores.codes.claim(code, RIGHT, clock.now() + later)
        assert spent == Claim(Outcome.SPENT, grant_id=grant.grant_id)


async def test_a_code_expires_by_the_clock(stores: Stores, clock: FrozenClock) -> None:
    """TK-03: at its end, not after."""
    code, _ = await issued(stores, clock)

    assert (await stores.codes.claim(code, RIGHT, clock.now() + 60)).outcome is Outcome.EXPIRED
    assert (await stores.codes.claim(code, RIGHT, clock.now() + 59.9)).outcome is Outcome.CLAIMED


@pytest.mark.parametrize(
    ("wrong", "outcome"),
    [
        ({"client_id": "other"}, Outcome.FOREIGN),
        ({"redirect_uri": f"{REDIRECT}/"}, Outcome.FOREIGN),
        ({"redirect_uri": ""}, Outcome.FOREIGN),
        ({"has_verifier": False}, Outcome.VERIFIER_MISSING),
        ({"challenge": "other"}, Outcome.VERIFIER_WRONG),
    ],
)
async def test_a_wrong_claim_does_not_use_a_code_up(
    stores: Stores, clock: FrozenClock, wrong: dict[str, str], outcome: Outcome
) -> None:
    """TK-05, TK-06, TK-08: checked inside the claim."""
    right = Presented("web", REDIRECT, has_verifier=True, challenge="the-challenge")
    code, grant = await issued(stores, clock, challenge="the-challenge")
    asked = replace(right, **wrong)  # type: ignore[arg-type]

    assert await stores.codes.claim(code, asked, clock.now()) == Claim(outcome)
    assert await stores.codes.claim(code, right, clock.now()) == Claim(Outcome.CLAIMED, grant=grant)
    assert await stores.codes.claim(code, asked, clock.now()) == Claim(outcome)


async def test_a_verifier_nobody_asked_for_is_refused(stores: Stores, clock: FrozenClock) -> None:
    """TK-06: also when its challenge is empty like the one that is stored."""
    code, _ = await issued(stores, clock)
    asked = Presented("web", REDIRECT, has_verifier=True, challenge="")

    assert await stores.codes.claim(code, asked, clock.now()) == Claim(Outcome.VERIFIER_UNASKED)


async def test_issuing_marks_the_session_as_used(stores: Stores, clock: FrozenClock) -> None:
    """Both or none: only the idle end moves, and without a session there is no code."""
    session = session_of(now=clock.now())
    record = CodeRecord(REDIRECT, "", clock.now() + 60, grant_of(session))
    used = replace(session, idle_until=session.idle_until + 500, auth_time=0.0)
    code = opaque(session.sid[:2])

    assert not await stores.codes.issue(code, record, used, clock.now())
    assert await stores.codes.claim(code, RIGHT, clock.now()) == Claim(Outcome.UNKNOWN)
    await stores.sessions.save(session, 60)
    assert await stores.codes.issue(code, record, used, clock.now())
    assert await stores.sessions.find(session.sid) == replace(session, idle_until=used.idle_until)


async def test_time_is_kept_exactly(stores: Stores) -> None:
    """Unix times of today, with fractions, come back as they were: prompt=login compares them."""
    now = time.perf_counter() + 1_790_000_000.123456
    session = session_of(now=now)
    await stores.sessions.save(session, 60)

    assert await stores.sessions.find(session.sid) == session
