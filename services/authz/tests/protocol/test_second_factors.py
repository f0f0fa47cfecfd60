"""Second factors at sign-in: registered factors are requested, and no session starts before (LG-07, LG-08)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import LIST_SESSIONS, REDEEM_CODE, CodeGrant, ListSessions, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import FINISH_ASSERTION, GRANTABLE, VERIFY_TOTP, Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, CALLBACK, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

TOTP, KEY, MAIL, TEXT, RECOVERY = (
    StepName.TOTP,
    StepName.SECURITY_KEY,
    StepName.OTP_EMAIL,
    StepName.OTP_SMS,
    StepName.RECOVERY_CODE,
)
CODE = "111111"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.set_policy("org-1", factors=GRANTABLE)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def right_answer(authz: AuthzService, browser: FakeBrowser, id: str, shown: Any) -> Any:
    """Answers the step of a second factor as its owner."""
    if shown.name is KEY:
        return await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    sent = next(reversed(authz.peers.factors.letters.values()), "")
    code = {TOTP: CODE, MAIL: sent, TEXT: sent, RECOVERY: "AAAA-BBBB"}
    return await browser.answer(id, shown, code=code[shown.name])


async def grant_after(authz: AuthzService, browser: FakeBrowser, done: Any) -> CodeGrant:
    assert done.name is StepName.DONE
    return await grant_of(authz, Landing(await browser.get(done.continue_to)))


async def grant_of(authz: AuthzService, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def assert_nothing_is_given(browser: FakeBrowser, id: str) -> None:
    """LG-08: not by the resume URL, not silently, not by another request, and there is no session."""
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"
    assert (await browser.ask(await browser.begin())).name is StepName.LOGIN_NAME


WAYS = {
    TOTP: (Factor.TOTP, ("pwd", "otp", "mfa"), "urn:portico:acr:mfa"),
    KEY: (Factor.U2F, ("pwd", "pop", "user", "mfa"), "urn:portico:acr:phr"),
    MAIL: (Factor.OTP_EMAIL, ("pwd", "otp", "mfa"), "urn:portico:acr:mfa"),
    TEXT: (Factor.OTP_SMS, ("pwd", "otp", "sms", "mfa"), "urn:portico:acr:mfa"),
}


@pytest.mark.parametrize("step", WAYS)
async def test_factor_is_requested_after_the_password(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, step: StepName
) -> None:
    """No session and no code exist before it, and amr and acr state the methods used (LG-08, RFC 8176)."""
    factor, amr, acr = WAYS[step]
    authz.peers.factors.give(ADA.user_id, factor)
    id = await browser.begin()
    shown = await browser.log_in(id)
    assert (shown.name, shown.problem, shown.others) == (step, Problem.NONE, ())
    await assert_nothing_is_given(browser, id)
    assert (await bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions == ()

    grant = await grant_after(authz, browser, await right_answer(authz, browser, id, await browser.ask(id)))
    assert (grant.amr, grant.acr, grant.user_id) == (amr, acr, ADA.user_id)


async def test_passkey_is_a_second_factor_after_a_password(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    id = await browser.begin()
    shown = await browser.log_in(id)

    assert shown.name is KEY
    assert (await right_answer(authz, browser, id, shown)).name is StepName.DONE


async def test_recovery_codes_alone_require_no_factor(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.RECOVERY_CODE)

    grant = await grant_of(authz, await browser.sign_in())
    assert grant.amr == ("pwd",)


@pytest.mark.parametrize("chosen", [TOTP, MAIL, TEXT, RECOVERY])
async def test_another_factor_can_be_chosen(authz: AuthzService, browser: FakeBrowser, chosen: StepName) -> None:
    """The strongest factor comes first, and the choice survives a reload."""
    authz.peers.factors.give(ADA.user_id, *Factor)
    id = await browser.begin()
    shown = await browser.log_in(id)
    assert (shown.name, shown.others) == (KEY, (TOTP, MAIL, TEXT, RECOVERY))

    other = await browser.answer(id, shown, other=chosen)
    again = await browser.ask(id)
    assert (other.name, again.name, KEY in again.others) == (chosen, chosen, True)
    assert (await right_answer(authz, browser, id, again)).name is StepName.DONE


@pytest.mark.parametrize("other", sorted(set(StepName) - {TOTP, KEY}))
async def test_unregistered_factor_cannot_be_chosen(authz: AuthzService, browser: FakeBrowser, other: StepName) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.U2F, Factor.TOTP)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.log_in(id), other=other)

    assert shown.name is KEY


@pytest.mark.parametrize("step", WAYS)
async def test_wrong_factor_response_can_be_corrected(
    authz: AuthzService, browser: FakeBrowser, step: StepName
) -> None:
    """Users counts attempts, and WebAuthn gets a new challenge (LG-07, LG-19)."""
    authz.peers.factors.give(ADA.user_id, WAYS[step][0])
    id = await browser.begin()
    shown = await browser.log_in(id)
    problem = Problem.WRONG_KEY if step is KEY else Problem.WRONG_CODE
    for _ in range(3):
        before = shown.options
        wrong = {"credential": signed(before, "no key")} if step is KEY else {"code": "no code"}
        shown = await browser.answer(id, shown, **wrong)
        assert (shown.name, shown.problem, shown.options != before) == (step, problem, step is KEY)
    await assert_nothing_is_given(browser, id)

    assert authz.peers.factors.attempts == 3
    assert (await right_answer(authz, browser, id, shown)).name is StepName.DONE


@pytest.mark.parametrize("step", WAYS)
async def test_empty_form_is_not_an_attempt(authz: AuthzService, browser: FakeBrowser, step: StepName) -> None:
    authz.peers.factors.give(ADA.user_id, WAYS[step][0])
    id = await browser.begin()
    shown = await browser.log_in(id)
    again = await browser.answer(id, shown)

    assert (again.name, again.options, authz.peers.factors.attempts) == (step, shown.options, 0)


@pytest.mark.parametrize("step", WAYS)
async def test_too_many_factor_attempts_get_a_delay(authz: AuthzService, browser: FakeBrowser, step: StepName) -> None:
    """The page states the delay and accepts a code afterwards (LG-07)."""
    authz.peers.factors.give(ADA.user_id, WAYS[step][0])
    id = await browser.begin()
    shown = await browser.log_in(id)
    authz.peers.wait_seconds = 30
    answer = {"credential": signed(shown.options, "no key")} if step is KEY else {"code": "no code"}
    waiting = await browser.answer(id, shown, **answer)
    authz.peers.wait_seconds = 0

    assert (waiting.name, waiting.problem, waiting.retry_after) == (step, Problem.SLOW_DOWN, 30)
    assert (await right_answer(authz, browser, id, waiting)).name is StepName.DONE


async def test_authenticator_of_another_user_is_rejected(authz: AuthzService, browser: FakeBrowser) -> None:
    """Ada's password with another user's authenticator is not a sign-in (LG-20)."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    authz.peers.factors.give(BOB.user_id, Factor.U2F)
    id = await browser.begin()
    shown = await browser.log_in(id)
    wrong = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[BOB.user_id]))

    assert (wrong.name, wrong.problem) == (KEY, Problem.WRONG_KEY)


@pytest.mark.parametrize("step", [step for step in StepName if step not in (TOTP, StepName.DONE)])
async def test_no_other_step_can_be_answered_instead(authz: AuthzService, browser: FakeBrowser, step: StepName) -> None:
    """Crafted posts with every right value for another step show the open step again (LG-08)."""
    authz.peers.factors.give(ADA.user_id, *Factor)
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], password_change_required=True)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.log_in(id), other=TOTP)
    again = await browser.answer(
        id, shown, step=step, password=PASSWORD, new_password=PASSWORD * 2, code="AAAA-BBBB", login_name="ada"
    )

    assert again.name is TOTP
    assert authz.peers.passwords[ADA.user_id] == PASSWORD
    await assert_nothing_is_given(browser, id)


async def test_factor_precedes_every_other_requirement(authz: AuthzService, browser: FakeBrowser) -> None:
    """A stolen password can neither change the password nor reveal an address."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], password_change_required=True)
    authz.peers.set_policy("org-1", verified_mail=True)
    id = await browser.begin()
    first = await browser.log_in(id)
    second = await browser.answer(id, first, code=CODE)
    third = await browser.answer(id, second, password=PASSWORD, new_password=PASSWORD * 2)
    done = await browser.answer(id, third, code="K7PQ2M")

    assert [first.name, second.name, third.name] == [TOTP, StepName.CHANGE_PASSWORD, StepName.VERIFY_EMAIL]
    assert (await grant_after(authz, browser, done)).amr == ("pwd", "otp", "mfa")


@pytest.mark.parametrize("leave", ["restart", "cancel"])
async def test_restart_and_cancel_discard_the_password(authz: AuthzService, browser: FakeBrowser, leave: str) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.log_in(id), **{leave: True})
    if leave == "cancel":
        assert Landing(await browser.get(shown.continue_to)).query["error"] == "access_denied"
        return

    assert shown.name is StepName.LOGIN_NAME
    password = await browser.answer(id, shown, login_name="ada")
    assert password.name is StepName.PASSWORD
    assert (await browser.answer(id, password, code=CODE, step=TOTP)).name is StepName.PASSWORD


async def test_code_is_emailed_once_and_again_on_request(authz: AuthzService, browser: FakeBrowser) -> None:
    """The address is masked, a reload sends no email, and a new code invalidates the first."""
    authz.peers.factors.give(ADA.user_id, Factor.OTP_EMAIL)
    id = await browser.begin()
    await browser.answer(id, await browser.name(id), password=PASSWORD, languages=("de",))
    shown = await browser.ask(id)
    again = await browser.answer(id, shown, resend=True, languages=("ar",))
    old = await browser.answer(id, again, code="12345678")

    assert shown.mail == "a\u2026@mail.test"
    assert [mailed.languages for mailed in authz.peers.factors.mailed] == [("de",), ("ar",)]
    assert old.problem is Problem.WRONG_CODE
    assert (await browser.answer(id, old, code="12345679")).name is StepName.DONE


async def test_failed_email_allows_another_factor(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.OTP_EMAIL, Factor.RECOVERY_CODE)
    authz.peers.factors.mail_works = False
    id = await browser.begin()
    shown = await browser.log_in(id)
    assert (shown.name, shown.problem, shown.others) == (MAIL, Problem.NOT_SENT, (RECOVERY,))

    other = await browser.answer(id, shown, other=RECOVERY)
    assert (await browser.answer(id, other, code="AAAA-BBBB")).name is StepName.DONE


async def test_challenge_is_renewed_when_half_expired(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A reload returns the same challenge while it is valid long enough."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    id = await browser.begin()
    first = await browser.log_in(id)
    clock.tick(149)
    same = await browser.ask(id)
    clock.tick(1)
    new = await browser.ask(id)

    assert first.options == same.options != new.options
    assert "assertion-" not in first.csrf + first.options.replace("challenge-of-assertion-", "")


@pytest.mark.parametrize("length", [8_192, 8_193])
async def test_webauthn_response_has_a_size_limit(authz: AuthzService, browser: FakeBrowser, length: int) -> None:
    """The size is checked before the response is parsed (RX-05)."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    id = await browser.begin()
    shown = await browser.log_in(id)
    answer = signed(shown.options, "no key").ljust(length)
    status = (await browser.answer_raw(id, shown, credential=answer)).status_code

    assert status == (200 if length == 8_192 else 400)


@pytest.mark.parametrize("subject", [FINISH_ASSERTION.subject, VERIFY_TOTP.subject])
async def test_without_users_nothing_is_decided(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, subject: str
) -> None:
    """The response is 503, and the form may be resubmitted (P2)."""
    key = subject == FINISH_ASSERTION.subject
    authz.peers.factors.give(ADA.user_id, Factor.U2F if key else Factor.TOTP)
    id = await browser.begin()
    shown = await browser.log_in(id)
    bus.silent.add(subject)
    answer = {"credential": signed(shown.options, KEY_OF[ADA.user_id])} if key else {"code": CODE}
    away = await browser.answer_raw(id, shown, **answer)
    bus.silent.clear()
    again = await browser.answer(id, shown, **answer)

    assert away.status_code == 503
    # Whether the challenge was used up is unknown, so WebAuthn needs another one.
    assert again.name is (KEY if key else StepName.DONE)
    assert not key or (await right_answer(authz, browser, id, again)).name is StepName.DONE


async def test_removed_factor_completes_the_login(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """After an administrator removed the authenticator a reload completes the login without it in amr."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    id = await browser.begin()
    await browser.log_in(id)
    authz.peers.factors.give(ADA.user_id)
    clock.tick(1)
    done = await browser.ask(id)
    browser.handle = done.set_cookie.partition(";")[0].partition("=")[2]

    assert (await grant_after(authz, browser, done)).amr == ("pwd",)


async def test_text_message_is_never_asked_for_before_a_stronger_factor(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """A text message is sent only when the user chooses it."""
    authz.peers.factors.give(ADA.user_id, Factor.OTP_SMS, Factor.OTP_EMAIL, Factor.TOTP)
    id = await browser.begin()
    shown = await browser.log_in(id)
    before = len(authz.peers.factors.texted)
    chosen = await browser.answer(id, shown, other=TEXT)

    assert (shown.name, shown.others, before) == (TOTP, (MAIL, TEXT), 0)
    assert (chosen.name, chosen.mail, len(authz.peers.factors.texted)) == (TEXT, "\u202667", 1)


async def test_page_shows_that_text_messages_are_delayed_or_used_up(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without a time to wait for, another way is better than waiting."""
    authz.peers.factors.give(ADA.user_id, Factor.OTP_SMS)
    authz.peers.factors.texts_delayed = True
    id = await browser.begin()
    shown = await browser.log_in(id)
    authz.peers.factors.texts_left = False
    again = await browser.answer(id, shown, resend=True)

    assert (shown.delayed, shown.problem) == (True, Problem.NONE)
    assert again.problem is Problem.NOT_SENT
