from __future__ import annotations

import secrets
import time
from dataclasses import replace

import pytest
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import HandleRotation, RotationResult
from portico_authz.domain.code import Claim, ClaimOutcome, PresentedCode
from portico_authz.domain.ports import Stores
from portico_authz.domain.progress import FactorChallenge, Progress, Registering
from portico_authz.domain.submission import new_submission
from portico_contracts.step_names import StepName
from portico_fakes.authz_samples import browser_and_handle, opaque, session_of

MADE_UP = "00" + "A" * 43
STRANGE = ["", "x", MADE_UP, "zz" + "A" * 43, "{00}*?[a]", "\u00fc", "a" * 5_000]
REDIRECT = "https://app.example.test/cb"
RIGHT = PresentedCode("web", REDIRECT, has_verifier=False, challenge="")


def request_of(bucket: str = "7f") -> AuthRequest:
    parameters = {"client_id": "web", "state": "\u00fc\r\n\"'{}"}
    return AuthRequest(opaque(bucket), "browser", parameters, began=1_000.25, hint_subject="u-ada", prefill="ada")


async def test_browser_is_found_by_its_handle(authz_stores: Stores) -> None:
    browser, handle = browser_and_handle()
    await authz_stores.browsers.create(handle, browser, 60)

    assert await authz_stores.browsers.find(handle) == browser
    assert await authz_stores.browsers.find(browser.id) is None


async def test_browser_is_found_with_its_request(authz_stores: Stores) -> None:
    (browser, handle), find = browser_and_handle(), authz_stores.browsers.find_with_request
    request = request_of(browser.bucket)
    await authz_stores.browsers.create(handle, browser, 60)
    await authz_stores.requests.create(request, 60)
    await authz_stores.requests.update(request.id, progress=Progress(login_name="ada"))
    stored = await authz_stores.requests.find(request.id)

    assert await find(handle, request.id) == (browser, stored)
    assert [await find(text, request.id) for text in STRANGE] == [(None, stored)] * len(STRANGE)
    assert [await find(handle, text) for text in STRANGE] == [(None, None)] * len(STRANGE)


async def rotation_of(authz_stores: Stores) -> HandleRotation:
    """Returns a rotation for a stored browser and request."""
    browser, old = browser_and_handle()
    await authz_stores.browsers.create(old, browser, 60)
    request = request_of(browser.bucket)
    await authz_stores.requests.create(request, 60)
    sent = new_submission(StepName.PASSWORD, opaque(), old, secrets.token_bytes, 1_000.25)
    moved = browser.with_session("sid-1")
    return HandleRotation(old, sent.next_handle(old), moved, request.id, Progress(login_name="\u00e4da"), sent, "sid-1")


async def test_rotated_handle_replaces_the_old_one(authz_stores: Stores) -> None:
    """The record moves to the new handle once, with the authentication stored in the request (LG-11)."""
    rotation = await rotation_of(authz_stores)

    assert await authz_stores.browsers.rotate_handle(rotation, 60) is RotationResult.ROTATED
    assert await authz_stores.browsers.find(rotation.old) is None
    assert await authz_stores.browsers.find(rotation.new) == rotation.browser
    request = await authz_stores.requests.find(rotation.request_id)
    assert request is not None
    assert (request.progress, request.signed_in) == (rotation.progress, "sid-1")
    assert request.submission == rotation.submission


async def test_rotation_with_a_code_answers_once(authz_stores: Stores) -> None:
    """The code of a rotation is the response where the request has none; another response stays."""
    first, second = [replace(await rotation_of(authz_stores), answer="b", answer_seconds=30) for _ in range(2)]
    request = await authz_stores.requests.find(second.request_id)
    assert request is not None
    assert await authz_stores.requests.record_code(request, "a", 30)

    assert await authz_stores.browsers.rotate_handle(first, 60) is RotationResult.ANSWERED
    assert await authz_stores.browsers.rotate_handle(first, 60) is RotationResult.ALREADY_ROTATED
    assert await authz_stores.browsers.rotate_handle(second, 60) is RotationResult.ROTATED
    stored = [await authz_stores.requests.find(one.request_id) for one in (first, second)]
    assert [one and (one.answer, one.signed_in) for one in stored] == [("b", "sid-1"), ("a", "sid-1")]


async def test_only_one_of_two_rotations_succeeds(authz_stores: Stores) -> None:
    rotation = await rotation_of(authz_stores)
    await authz_stores.browsers.rotate_handle(rotation, 60)
    first = await authz_stores.requests.find(rotation.request_id)
    changed = replace(rotation, signed_in="sid-2", progress=Progress())
    late = replace(changed, new=rotation.browser.new_handle(secrets.token_bytes))

    assert await authz_stores.browsers.rotate_handle(changed, 60) is RotationResult.ALREADY_ROTATED
    assert await authz_stores.browsers.rotate_handle(late, 60) is RotationResult.CHANGED
    assert await authz_stores.browsers.find(late.new) is None
    assert await authz_stores.browsers.find(rotation.new) == rotation.browser
    assert await authz_stores.requests.find(rotation.request_id) == first


async def test_rotation_without_its_request_changes_nothing(authz_stores: Stores) -> None:
    rotation = await rotation_of(authz_stores)
    rotation = replace(rotation, request_id=request_of(rotation.browser.bucket).id)

    assert await authz_stores.browsers.rotate_handle(rotation, 60) is RotationResult.NOT_FOUND
    assert await authz_stores.browsers.find(rotation.old) is not None
    assert await authz_stores.browsers.find(rotation.new) is None


async def test_extending_an_unknown_browser_creates_none(authz_stores: Stores) -> None:
    await authz_stores.browsers.extend(MADE_UP, 60)

    assert await authz_stores.browsers.find(MADE_UP) is None


async def test_saved_session_is_found_and_replaced(authz_stores: Stores) -> None:
    session = session_of()
    await authz_stores.sessions.save(session, 60)
    again = replace(session, auth_time=1_500.5, idle_until=9_999.25)
    assert await authz_stores.sessions.find(session.sid) == session

    await authz_stores.sessions.save(again, 60)
    assert await authz_stores.sessions.find(session.sid) == again


async def test_stored_request_is_found_and_updated(authz_stores: Stores) -> None:
    """Each update sets the given fields and leaves the others."""
    requests = authz_stores.requests
    request = request_of()
    await requests.create(request, 60)
    assert await requests.find(request.id) == request

    named = Progress(login_name="\u00e4da", user_id="u-ada", amr=("pwd",))
    assert await requests.update(request.id, progress=named)
    assert await requests.update(request.id, signed_in="sid-1")
    assert await requests.find(request.id) == replace(request, progress=named, signed_in="sid-1")
    assert await requests.update(request.id, progress=Progress(), signed_in="", denied=True)
    assert await requests.find(request.id) == replace(request, denied=True)


async def test_offer_changes_only_the_challenge(authz_stores: Stores) -> None:
    """The offer is stored separately from the progress, which may change concurrently."""
    requests = authz_stores.requests
    request = request_of()
    offered = FactorChallenge(StepName.PASSKEY, "a-1", "{}", renew_at=1_150.5)
    await requests.create(request, 60)
    assert await requests.update(request.id, progress=Progress(login_name="ada"))
    assert await requests.set_passkey_challenge(request.id, offered)

    assert await requests.find(request.id) == replace(request, progress=Progress(login_name="ada"), offered=offered)
    assert not await requests.set_passkey_challenge(request_of().id, offered)


async def test_initial_progress_is_stored(authz_stores: Stores) -> None:
    """With prompt=create the progress starts with the registration page."""
    request = replace(request_of(), progress=Progress(under_way=Registering()))
    await authz_stores.requests.create(request, 60)

    assert await authz_stores.requests.find(request.id) == request


async def test_csrf_value_is_valid_until_replaced(authz_stores: Stores) -> None:
    """Each value is used up by its replacement (LG-14)."""
    requests = authz_stores.requests
    request, without = replace(request_of(), csrf="one"), request_of()
    await requests.create(request, 60)
    await requests.create(without, 60)

    assert not await requests.replace_csrf(without.id, "", "x")
    assert await requests.find(request.id) == request
    assert not await requests.replace_csrf(request.id, "two", "x")
    assert await requests.replace_csrf(request.id, "one", "three")
    assert not await requests.replace_csrf(request.id, "one", "x")
    found = await requests.find(request.id)
    assert found is not None
    assert found.csrf == "three"


async def test_submission_is_stored_with_its_csrf_value(authz_stores: Stores) -> None:
    """The value is accepted once, and a second submission changes nothing (LG-14)."""
    requests = authz_stores.requests
    request = replace(request_of(), csrf="one")
    await requests.create(request, 60)
    sent = new_submission(StepName.PASSWORD, "one", opaque(), secrets.token_bytes, 1_000.25)
    foreign, second = replace(sent, csrf="x"), replace(sent, seed="other")

    assert not await requests.accept_submission(request.id, "two", foreign)
    assert await requests.accept_submission(request.id, "two", sent)
    assert not await requests.accept_submission(request.id, "three", second)
    assert await requests.find(request.id) == replace(request, csrf="two", submission=sent)


async def test_progress_is_stored_with_its_form(authz_stores: Stores) -> None:
    """A form whose CSRF value is not the current one stores nothing (LG-14)."""
    requests = authz_stores.requests
    request = replace(request_of(), csrf="one")
    await requests.create(request, 60)
    named = Progress(login_name="\u00e4da")
    sent = new_submission(StepName.LOGIN_NAME, "one", opaque(), secrets.token_bytes, 1_000.25)

    assert not await requests.accept_submission(request.id, "two", replace(sent, csrf="x"), named)
    assert await requests.find(request.id) == request
    assert await requests.accept_submission(request.id, "two", sent, named)
    assert await requests.find(request.id) == replace(
        request, csrf="two", submission=sent, progress=named, settled="one"
    )


async def test_form_retries_are_counted(authz_stores: Stores) -> None:
    """Retries are counted from the submission of the last form."""
    requests = authz_stores.requests
    request = replace(request_of(), csrf="one")
    await requests.create(request, 60)
    sent = new_submission(StepName.PASSWORD, "one", opaque(), secrets.token_bytes, 1_000.25)
    assert not await requests.count_retry(request.id, "one", 2)
    assert await requests.accept_submission(request.id, "two", sent)

    assert [await requests.count_retry(request.id, "one", 2) for _ in range(4)] == [
        True,
        True,
        False,
        False,
    ]
    assert not await requests.count_retry(request.id, "two", 2)
    assert await requests.accept_submission(request.id, "three", replace(sent, csrf="two"))
    assert not await requests.count_retry(request.id, "one", 2)
    assert await requests.count_retry(request.id, "two", 2)
    assert not await requests.count_retry(opaque(), "two", 2)


async def test_code_replaces_the_known_response(authz_stores: Stores) -> None:
    """Of two callers that replace the same code, one succeeds."""
    request = request_of()
    await authz_stores.requests.create(request, 60)
    answer, answered = authz_stores.requests.record_code, replace(request, answer="a")

    assert await answer(request, "a", 30)
    assert not await answer(request, "b", 30)
    assert await answer(answered, "c", 30)
    assert not await answer(answered, "d", 30)
    assert not await answer(request_of(), "e", 30)
    assert await authz_stores.requests.find(request.id) == replace(request, answer="c")


async def test_request_is_consumed_once(authz_stores: Stores) -> None:
    requests = authz_stores.requests
    request = request_of()
    await requests.create(request, 60)

    assert [await requests.consume(request.id) for _ in range(3)] == [True, False, False]
    assert await requests.find(request.id) is None
    assert not await requests.replace_csrf(request.id, "x", "y")
    assert not await requests.update(request.id, progress=Progress(login_name="x"))
    assert await requests.find(request.id) is None


async def test_posted_request_can_be_read_again(authz_stores: Stores) -> None:
    """A stored POST may be read on reload, because it contains no secret."""
    id, parameters = opaque(), {"state": "\u00fc", "client_id": "web"}
    await authz_stores.posted_requests.save(id, parameters, 60, "")

    assert await authz_stores.posted_requests.find(id) == await authz_stores.posted_requests.find(id) == parameters


@pytest.mark.parametrize("text", STRANGE)
async def test_malformed_identifier_finds_nothing(authz_stores: Stores, text: str) -> None:
    """Text chosen by a caller never becomes a Redis key (P5)."""
    assert await authz_stores.browsers.find(text) is None
    assert await authz_stores.sessions.find(text) is None
    assert await authz_stores.requests.find(text) is None
    assert await authz_stores.posted_requests.find(text) is None
    assert await authz_stores.logouts.find(text) is None
    assert await authz_stores.logout_queue.find(text) is None
    assert await authz_stores.codes.claim(text, RIGHT, 0.0) == Claim(ClaimOutcome.UNKNOWN)


async def test_times_are_stored_exactly(authz_stores: Stores) -> None:
    """Unix times keep their fractions, because prompt=login compares them."""
    now = time.perf_counter() + 1_790_000_000.123456
    session = session_of(now=now)
    await authz_stores.sessions.save(session, 60)

    assert await authz_stores.sessions.find(session.sid) == session


async def test_answered_form_is_known_by_its_csrf_value(authz_stores: Stores) -> None:
    """A deleted request does not come back."""
    request = request_of()
    await authz_stores.requests.create(request, 60)
    await authz_stores.requests.settle(request.id, "csrf-1")
    await authz_stores.requests.settle(MADE_UP, "csrf-1")
    found = await authz_stores.requests.find(request.id)

    assert found is not None
    assert found.settled == "csrf-1"
    assert await authz_stores.requests.find(MADE_UP) is None
