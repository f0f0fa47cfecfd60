"""One conformance suite for the stores of authz: in memory and on a real Redis."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace

import pytest
from portico_authz.domain.auth_request import Asked, AuthRequest, Progress
from portico_authz.domain.code import Claim, CodeRecord, Issued, Outcome, Presented, reference_of
from portico_authz.domain.ports import Stores
from portico_authz.domain.renewal import Renewal, Renewed
from portico_authz.domain.submission import new_submission
from portico_contracts.authz import CodeGrant
from portico_contracts.login import StepName
from portico_fakes.authz_samples import browser_and_handle, grant_of, opaque, session_of
from portico_fakes.clock import FrozenClock

MADE_UP = "00" + "A" * 43
STRANGE = ["", "x", MADE_UP, "zz" + "A" * 43, "{00}*?[a]", "\u00fc", "a" * 5_000]
REDIRECT = "https://app.example.test/cb"
RIGHT = Presented("web", REDIRECT, has_verifier=False, challenge="")


def request_of(bucket: str = "7f") -> AuthRequest:
    parameters = {"client_id": "web", "state": "\u00fc\r\n\"'{}"}
    return AuthRequest(opaque(bucket), "browser", parameters, began=1_000.25, hint_subject="u-ada", prefill="ada")


async def issued(authz_stores: Stores, clock: FrozenClock, *, challenge: str = "") -> tuple[str, CodeGrant]:
    session = session_of(now=clock.now())
    await authz_stores.sessions.save(session, 3_600)
    code, grant = opaque(session.sid[:2]), grant_of(session)
    record = CodeRecord(REDIRECT, challenge, clock.now(), clock.now() + 60, grant)
    assert await authz_stores.codes.issue(code, record, session, clock.now()) is Issued.ISSUED
    return code, grant


async def test_a_browser_is_found_by_its_handle(authz_stores: Stores) -> None:
    """As it was kept; not by its id."""
    browser, handle = browser_and_handle()
    await authz_stores.browsers.create(handle, browser, 60)

    assert await authz_stores.browsers.find(handle) == browser
    assert await authz_stores.browsers.find(browser.id) is None


async def renewal_of(authz_stores: Stores) -> Renewal:
    """Of a browser and a request that are kept."""
    browser, old = browser_and_handle()
    await authz_stores.browsers.create(old, browser, 60)
    request = request_of(browser.bucket)
    await authz_stores.requests.create(request, 60)
    sent = new_submission(StepName.PASSWORD, opaque(), old, secrets.token_bytes, 1_000.25)
    moved = browser.with_session("sid-1")
    return Renewal(old, sent.next_handle(old), moved, request.id, Progress(login_name="\u00e4da"), sent, "sid-1")


async def test_a_renewed_handle_replaces_the_old_one(authz_stores: Stores) -> None:
    """LG-11: the record moves to the new handle, once, and the request says what that was earned with."""
    renewal = await renewal_of(authz_stores)

    assert await authz_stores.browsers.renew(renewal, 60) is Renewed.NOW
    assert await authz_stores.browsers.find(renewal.old) is None
    assert await authz_stores.browsers.find(renewal.new) == renewal.browser
    request = await authz_stores.requests.find(renewal.request_id)
    assert request is not None
    assert (request.progress, request.signed_in) == (renewal.progress, "sid-1")
    assert request.submission == renewal.submission


async def test_of_two_renewals_one_changes_something(authz_stores: Stores) -> None:
    """The second is told that its handle is there already, or that the old one is none any more, and changes nothing."""
    renewal = await renewal_of(authz_stores)
    await authz_stores.browsers.renew(renewal, 60)
    first = await authz_stores.requests.find(renewal.request_id)
    changed = replace(renewal, signed_in="sid-2", progress=Progress())
    late = replace(changed, new=renewal.browser.new_handle(secrets.token_bytes))

    assert await authz_stores.browsers.renew(changed, 60) is Renewed.BEFORE
    assert await authz_stores.browsers.renew(late, 60) is Renewed.CHANGED
    assert await authz_stores.browsers.find(late.new) is None
    assert await authz_stores.browsers.find(renewal.new) == renewal.browser
    assert await authz_stores.requests.find(renewal.request_id) == first


async def test_without_its_request_a_handle_stays(authz_stores: Stores) -> None:
    """All or nothing."""
    renewal = replace(await renewal_of(authz_stores), request_id=opaque())

    assert await authz_stores.browsers.renew(renewal, 60) is Renewed.GONE
    assert await authz_stores.browsers.find(renewal.old) is not None
    assert await authz_stores.browsers.find(renewal.new) is None


async def test_extending_an_unknown_browser_makes_none(authz_stores: Stores) -> None:
    """Only what is there can be kept longer."""
    await authz_stores.browsers.extend(MADE_UP, 60)

    assert await authz_stores.browsers.find(MADE_UP) is None


async def test_a_session_is_found_as_it_was_saved(authz_stores: Stores) -> None:
    """And replaced when it is saved again."""
    session = session_of()
    await authz_stores.sessions.save(session, 60)
    again = replace(session, auth_time=1_500.5, idle_until=9_999.25)
    assert await authz_stores.sessions.find(session.sid) == session

    await authz_stores.sessions.save(again, 60)
    assert await authz_stores.sessions.find(session.sid) == again


async def test_a_request_is_found_as_it_was_kept_and_changed(authz_stores: Stores) -> None:
    """Each change sets what it names and leaves the rest."""
    request = request_of()
    await authz_stores.requests.create(request, 60)
    assert await authz_stores.requests.find(request.id) == request

    named = Progress(login_name="\u00e4da", user_id="u-ada", amr=("pwd",))
    assert await authz_stores.requests.change(request.id, progress=named)
    assert await authz_stores.requests.change(request.id, signed_in="sid-1")
    assert await authz_stores.requests.find(request.id) == replace(request, progress=named, signed_in="sid-1")
    assert await authz_stores.requests.change(request.id, progress=Progress(), denied=True)
    assert await authz_stores.requests.find(request.id) == replace(request, signed_in="sid-1", denied=True)


async def test_an_offer_changes_nothing_but_the_challenge(authz_stores: Stores) -> None:
    """It is kept beside the progress, which another answer may be changing; there is none for a request that ended."""
    request = request_of()
    offered = Asked(StepName.PASSKEY, "a-1", "{}", renew_at=1_150.5)
    await authz_stores.requests.create(request, 60)
    assert await authz_stores.requests.change(request.id, progress=Progress(login_name="ada"))
    assert await authz_stores.requests.offer(request.id, offered)

    assert await authz_stores.requests.find(request.id) == replace(
        request, progress=Progress(login_name="ada"), offered=offered
    )
    assert not await authz_stores.requests.offer(request_of().id, offered)


async def test_a_progress_a_request_begins_with_is_kept(authz_stores: Stores) -> None:
    """prompt=create begins with the registration."""
    request = replace(request_of(), progress=Progress(registering=True))
    await authz_stores.requests.create(request, 60)

    assert await authz_stores.requests.find(request.id) == request


async def test_a_csrf_value_stays_until_it_is_swapped(authz_stores: Stores) -> None:
    """LG-14: the one it was kept with, used up by swapping; without one there is nothing to swap."""
    request, without = replace(request_of(), csrf="one"), request_of()
    await authz_stores.requests.create(request, 60)
    await authz_stores.requests.create(without, 60)

    assert not await authz_stores.requests.swap(without.id, "", "x")
    assert await authz_stores.requests.find(request.id) == request
    assert not await authz_stores.requests.swap(request.id, "two", "x")
    assert await authz_stores.requests.swap(request.id, "one", "three")
    assert not await authz_stores.requests.swap(request.id, "one", "x")
    found = await authz_stores.requests.find(request.id)
    assert found is not None
    assert found.csrf == "three"


async def test_what_was_sent_is_kept_with_the_value_it_used_up(authz_stores: Stores) -> None:
    """LG-14: once; who comes second changes nothing."""
    request = replace(request_of(), csrf="one")
    await authz_stores.requests.create(request, 60)
    sent = new_submission(StepName.PASSWORD, "one", opaque(), secrets.token_bytes, 1_000.25)
    foreign, second = replace(sent, csrf="x"), replace(sent, seed="other")

    assert not await authz_stores.requests.send(request.id, "two", foreign)
    assert await authz_stores.requests.send(request.id, "two", sent)
    assert not await authz_stores.requests.send(request.id, "three", second)
    assert await authz_stores.requests.find(request.id) == replace(request, csrf="two", submission=sent)


async def test_a_form_can_be_repeated_so_often(authz_stores: Stores) -> None:
    """The one sent last, from the first to the last time; the next form begins anew."""
    request = replace(request_of(), csrf="one")
    await authz_stores.requests.create(request, 60)
    sent = new_submission(StepName.PASSWORD, "one", opaque(), secrets.token_bytes, 1_000.25)
    assert not await authz_stores.requests.repeat(request.id, "one", 2)
    assert await authz_stores.requests.send(request.id, "two", sent)

    assert [await authz_stores.requests.repeat(request.id, "one", 2) for _ in range(4)] == [True, True, False, False]
    assert not await authz_stores.requests.repeat(request.id, "two", 2)
    assert await authz_stores.requests.send(request.id, "three", replace(sent, csrf="two"))
    assert not await authz_stores.requests.repeat(request.id, "one", 2)
    assert await authz_stores.requests.repeat(request.id, "two", 2)
    assert not await authz_stores.requests.repeat(opaque(), "two", 2)


async def test_an_answer_takes_the_place_of_the_one_that_is_known(authz_stores: Stores) -> None:
    """Of two who replace the same one, one does."""
    request = request_of()
    await authz_stores.requests.create(request, 60)
    answer = authz_stores.requests.answer

    assert await answer(request.id, "a", instead_of="", seconds=30)
    assert not await answer(request.id, "b", instead_of="", seconds=30)
    assert await answer(request.id, "c", instead_of="a", seconds=30)
    assert not await answer(request.id, "d", instead_of="a", seconds=30)
    assert not await answer(opaque(), "e", instead_of="", seconds=30)
    assert await authz_stores.requests.find(request.id) == replace(request, answer="c")


async def test_a_code_is_withdrawn_unless_it_was_used(authz_stores: Stores, clock: FrozenClock) -> None:
    """TK-01: afterwards it is unknown; a used one stays used, and tells its grant."""
    code, _ = await issued(authz_stores, clock)
    used, grant = await issued(authz_stores, clock)
    await authz_stores.codes.claim(used, RIGHT, clock.now())

    assert [await authz_stores.codes.withdraw(reference_of(code), 60) for _ in range(2)] == [True, True]
    assert not await authz_stores.codes.withdraw(reference_of(used), 60)
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(Outcome.UNKNOWN)
    assert await authz_stores.codes.claim(used, RIGHT, clock.now()) == Claim(Outcome.SPENT, grant_id=grant.grant_id)


async def test_a_code_withdrawn_before_it_is_there_never_comes(authz_stores: Stores, clock: FrozenClock) -> None:
    """The replica that was slow with it is told so, and its session is not used."""
    session = session_of(now=clock.now())
    await authz_stores.sessions.save(session, 60)
    code, record = opaque(session.sid[:2]), CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    assert await authz_stores.codes.withdraw(reference_of(code), 60)
    used = replace(session, idle_until=session.idle_until + 500)

    assert await authz_stores.codes.issue(code, record, used, clock.now()) is Issued.WITHDRAWN
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(Outcome.UNKNOWN)
    assert await authz_stores.sessions.find(session.sid) == session


async def test_a_request_is_consumed_once(authz_stores: Stores) -> None:
    """And is gone for everything afterwards; nothing brings it back."""
    request = request_of()
    await authz_stores.requests.create(request, 60)

    assert [await authz_stores.requests.consume(request.id) for _ in range(3)] == [True, False, False]
    assert await authz_stores.requests.find(request.id) is None
    assert not await authz_stores.requests.swap(request.id, "x", "y")
    assert not await authz_stores.requests.change(request.id, progress=Progress(login_name="x"))
    assert await authz_stores.requests.find(request.id) is None


async def test_a_parked_post_can_be_read_again(authz_stores: Stores) -> None:
    """A reload is no reuse: it holds what the application said, nothing secret."""
    id, parameters = opaque(), {"state": "\u00fc", "client_id": "web"}
    await authz_stores.parked.park(id, parameters, 60)

    assert await authz_stores.parked.find(id) == await authz_stores.parked.find(id) == parameters


@pytest.mark.parametrize("text", STRANGE)
async def test_text_that_is_no_identifier_finds_nothing(authz_stores: Stores, text: str) -> None:
    """P5: caller-chosen text never becomes a key."""
    assert await authz_stores.browsers.find(text) is None
    assert await authz_stores.sessions.find(text) is None
    assert await authz_stores.requests.find(text) is None
    assert await authz_stores.parked.find(text) is None
    assert await authz_stores.logouts.find(text) is None
    assert await authz_stores.endings.find(text) is None
    assert await authz_stores.codes.claim(text, RIGHT, 0.0) == Claim(Outcome.UNKNOWN)


async def test_a_code_is_claimed_once_and_leaves_a_mark(authz_stores: Stores, clock: FrozenClock) -> None:
    """TK-03: the winner gets the grant, everybody later its id, past the code's own life."""
    code, grant = await issued(authz_stores, clock)

    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(Outcome.CLAIMED, grant=grant)
    for later in (0, 30, 600):
        spent = await authz_stores.codes.claim(code, RIGHT, clock.now() + later)
        assert spent == Claim(Outcome.SPENT, grant_id=grant.grant_id)


async def test_a_code_expires_by_the_clock(authz_stores: Stores, clock: FrozenClock) -> None:
    """TK-03: at its end, not after."""
    code, _ = await issued(authz_stores, clock)

    assert (await authz_stores.codes.claim(code, RIGHT, clock.now() + 60)).outcome is Outcome.EXPIRED
    assert (await authz_stores.codes.claim(code, RIGHT, clock.now() + 59.9)).outcome is Outcome.CLAIMED


@pytest.mark.parametrize(("seconds", "outcome"), [(-10, Outcome.CLAIMED), (-11, Outcome.EXPIRED)])
async def test_a_clock_before_the_issue_uses_a_code_up(
    authz_stores: Stores, clock: FrozenClock, seconds: int, outcome: Outcome
) -> None:
    """FD-14: beyond the leeway nobody knows how old it is, and it is not good again when the clock comes by once more."""
    code, grant = await issued(authz_stores, clock)
    first = await authz_stores.codes.claim(code, RIGHT, clock.now() + seconds)
    later = await authz_stores.codes.claim(code, RIGHT, clock.now() + 5)

    assert (first.outcome, later) == (outcome, Claim(Outcome.SPENT, grant_id=grant.grant_id))


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
    authz_stores: Stores, clock: FrozenClock, wrong: dict[str, str], outcome: Outcome
) -> None:
    """TK-05, TK-06, TK-08: checked inside the claim."""
    right = Presented("web", REDIRECT, has_verifier=True, challenge="the-challenge")
    code, grant = await issued(authz_stores, clock, challenge="the-challenge")
    asked = replace(right, **wrong)  # type: ignore[arg-type]

    assert await authz_stores.codes.claim(code, asked, clock.now()) == Claim(outcome)
    assert await authz_stores.codes.claim(code, right, clock.now()) == Claim(Outcome.CLAIMED, grant=grant)
    assert await authz_stores.codes.claim(code, asked, clock.now()) == Claim(outcome)


async def test_a_verifier_nobody_asked_for_is_refused(authz_stores: Stores, clock: FrozenClock) -> None:
    """TK-06: also when its challenge is empty like the one that is stored."""
    code, _ = await issued(authz_stores, clock)
    asked = Presented("web", REDIRECT, has_verifier=True, challenge="")

    assert await authz_stores.codes.claim(code, asked, clock.now()) == Claim(Outcome.VERIFIER_UNASKED)


async def test_issuing_marks_the_session_as_used(authz_stores: Stores, clock: FrozenClock) -> None:
    """Both or none: only the idle end moves, and without a session there is no code."""
    session = session_of(now=clock.now())
    record = CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    used = replace(session, idle_until=session.idle_until + 500, auth_time=0.0)
    code = opaque(session.sid[:2])

    assert await authz_stores.codes.issue(code, record, used, clock.now()) is Issued.SESSION_ENDED
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(Outcome.UNKNOWN)
    await authz_stores.sessions.save(session, 60)
    assert await authz_stores.codes.issue(code, record, used, clock.now()) is Issued.ISSUED
    assert await authz_stores.sessions.find(session.sid) == replace(session, idle_until=used.idle_until)


async def test_time_is_kept_exactly(authz_stores: Stores) -> None:
    """Unix times of today, with fractions, come back as they were: prompt=login compares them."""
    now = time.perf_counter() + 1_790_000_000.123456
    session = session_of(now=now)
    await authz_stores.sessions.save(session, 60)

    assert await authz_stores.sessions.find(session.sid) == session
