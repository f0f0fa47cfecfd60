"""A sign-in whose first factor was proven before a change of credentials starts again (decision 0009)."""

from __future__ import annotations

from dataclasses import replace as with_values
from typing import Any, Final

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import BEGIN_DEVICE, LIST_SESSIONS, BeginDevice, ListSessions
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import (
    GRANTABLE,
    VERIFY_TOTP,
    EnrolmentDemand,
    Factor,
    FactorVerified,
    LoginPolicy,
    ProviderRedirect,
    VerifyTotp,
)
from portico_fakes.authz_enrolment import APP_CODE
from portico_fakes.authz_external import ACME
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, PASSWORD, RIGHT_CODE, AuthzService, FakeBrowser, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.device_sign_in import enter
from portico_fakes.login_client import LoginClient, begin_at
from portico_fakes.memory_authz import MemoryAuthRequests
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.grant_types import DEVICE_CODE

CODE: Final = "111111"
NEW_PASSWORD: Final = "another horse battery"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.set_policy("org-1", factors=GRANTABLE, providers=(ACME,))
    authz.peers.people[ADA.user_id] = replace(ADA, has_password=True)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def change(authz: AuthzService, **fields: Any) -> None:
    """Changes the user as users does with each change of credentials or state."""
    before = authz.peers.people[ADA.user_id]
    authz.peers.people[ADA.user_id] = replace(before, **{"trust_epoch": before.trust_epoch + 1, **fields})


def replace_password(authz: AuthzService) -> None:
    authz.peers.passwords[ADA.user_id] = NEW_PASSWORD
    change(authz)


async def sessions(authz: AuthzService) -> int:
    return len((await authz.bus.call(LIST_SESSIONS, ListSessions(user_id=ADA.user_id))).sessions)


async def assert_not_signed_in(authz: AuthzService, browser: FakeBrowser, id: str) -> None:
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"] == f"{http.LOGIN}?request={id}"
    assert await sessions(authz) == 0


async def test_replaced_password_does_not_count(authz: AuthzService, browser: FakeBrowser) -> None:
    """The right second factor does not complete the sign-in of a thief; the owner enters the new password."""
    id = await browser.begin()
    waiting = await browser.log_in(id)
    replace_password(authz)
    again = await browser.answer(id, waiting, code=CODE)
    old = await browser.answer(id, again, password=PASSWORD)

    assert (waiting.name, again.name, again.problem) == (
        StepName.TOTP,
        StepName.PASSWORD,
        Problem.CREDENTIALS_CHANGED,
    )
    assert again.login_name == "ada"
    assert (old.name, old.problem) == (StepName.PASSWORD, Problem.WRONG_CREDENTIALS)
    await assert_not_signed_in(authz, browser, id)
    asked = await browser.answer(id, await browser.ask(id), password=NEW_PASSWORD)
    assert asked.name is StepName.TOTP
    assert (await browser.answer(id, asked, code=CODE)).name is StepName.DONE


async def test_reloaded_page_tells_why_the_sign_in_starts_again(authz: AuthzService, browser: FakeBrowser) -> None:
    """The message is shown once, as after an answer."""
    id = await browser.begin()
    await browser.log_in(id)
    replace_password(authz)
    await assert_not_signed_in(authz, browser, id)
    shown = [await browser.ask(id), await browser.ask(id)]

    assert [step.name for step in shown] == [StepName.PASSWORD] * 2
    assert [step.problem for step in shown] == [Problem.CREDENTIALS_CHANGED, Problem.NONE]


async def test_change_while_the_factor_is_verified_counts(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """The user that users returns with the verified factor decides."""
    id = await browser.begin()
    waiting = await browser.log_in(id)

    async def verify(_ask: VerifyTotp) -> FactorVerified:
        replace_password(authz)
        return FactorVerified(user=authz.peers.people[ADA.user_id])

    bus.respond(VERIFY_TOTP, verify)
    again = await browser.answer(id, waiting, code=CODE)

    assert (again.name, again.problem) == (StepName.PASSWORD, Problem.CREDENTIALS_CHANGED)
    await assert_not_signed_in(authz, browser, id)


async def test_user_who_was_locked_meanwhile_starts_again(authz: AuthzService, browser: FakeBrowser) -> None:
    """Locking and unlocking changes the state twice."""
    id = await browser.begin()
    waiting = await browser.log_in(id)
    locked = authz.peers.people.pop(ADA.user_id)
    assert (await browser.answer(id, waiting, code=CODE)).name is StepName.PASSWORD
    authz.peers.people[ADA.user_id] = replace(locked, trust_epoch=2)
    again = await browser.ask(id)

    assert (again.name, again.problem) == (StepName.PASSWORD, Problem.CREDENTIALS_CHANGED)
    await assert_not_signed_in(authz, browser, id)


@pytest.mark.parametrize("has_password", [True, False])
async def test_removed_link_does_not_count(authz: AuthzService, browser: FakeBrowser, has_password: bool) -> None:
    """A user without a password gets the first page, with the providers and passkeys."""
    change(authz, has_password=has_password)
    authz.peers.set_policy("", providers=(ACME,))
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[ADA.user_id])
    id = await browser.begin()
    state = await browser.leave(id, ACME.id)
    waiting = (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})).step
    change(authz)
    again = await browser.answer(id, waiting, code=CODE)

    assert waiting.name is StepName.TOTP
    assert again.name is (StepName.PASSWORD if has_password else StepName.LOGIN_NAME)
    assert (again.problem, again.providers) == (Problem.CREDENTIALS_CHANGED, (ACME,))
    await assert_not_signed_in(authz, browser, id)


async def test_removed_passkey_does_not_count(authz: AuthzService, browser: FakeBrowser) -> None:
    """In a sign-in that still needs a new password."""
    change(authz, password_change_required=True)
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    authz.peers.set_policy("", factors=GRANTABLE)
    id = await browser.begin()
    asked = await browser.answer(id, await browser.ask(id), passkey=True)
    waiting = await browser.answer(id, asked, credential=signed(asked.options, KEY_OF[ADA.user_id]))
    change(authz)
    again = await browser.answer(id, waiting, password=PASSWORD, new_password=NEW_PASSWORD)

    assert (waiting.name, again.name) == (StepName.CHANGE_PASSWORD, StepName.PASSWORD)
    assert (again.problem, authz.peers.passwords[ADA.user_id]) == (Problem.CREDENTIALS_CHANGED, PASSWORD)
    await assert_not_signed_in(authz, browser, id)


async def test_emailed_code_before_the_change_does_not_count(authz: AuthzService, browser: FakeBrowser) -> None:
    """The password that follows it is the first factor of a new sign-in, not the second one of the old."""
    authz.peers.set_policy("org-1", factors=(Factor.OTP_EMAIL,), email_code_sign_in=True)
    authz.peers.set_policy("", email_code_sign_in=True)
    authz.peers.factors.give(ADA.user_id, Factor.OTP_EMAIL)
    id = await browser.begin()
    sent = await browser.answer(id, await browser.name(id), email_code=True)
    waiting = await browser.answer(id, sent, code=authz.peers.email_codes.newest)
    change(authz)
    again = await browser.answer(id, waiting, password=PASSWORD)
    following = await browser.answer(id, again, password=PASSWORD)

    assert (waiting.name, again.name, again.problem) == (
        StepName.PASSWORD,
        StepName.PASSWORD,
        Problem.CREDENTIALS_CHANGED,
    )
    assert following.name is StepName.OTP_EMAIL
    await assert_not_signed_in(authz, browser, id)


async def test_waiting_email_verification_starts_again(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.set_policy("org-1", verified_mail=True, factors=())
    id = await browser.begin()
    waiting = await browser.log_in(id)
    replace_password(authz)
    again = await browser.answer(id, waiting, code=RIGHT_CODE)

    assert (waiting.name, again.name) == (StepName.VERIFY_EMAIL, StepName.PASSWORD)
    await assert_not_signed_in(authz, browser, id)


async def test_waiting_enrolment_starts_again(authz: AuthzService, browser: FakeBrowser) -> None:
    """A thief with the old password registers no factor."""
    authz.peers.people[ADA.user_id] = replace(ADA, has_password=True, email_verified=True)
    authz.peers.set_policy("org-1", force_mfa=True, enrolment=EnrolmentDemand.PASSWORD)
    authz.peers.enrolments.mail = ""
    id = await browser.begin()
    waiting = await browser.answer(id, await browser.log_in(id), other=StepName.ENROL_TOTP)
    replace_password(authz)
    again = await browser.answer(id, waiting, code=APP_CODE)

    assert (waiting.name, again.name) == (StepName.ENROL_TOTP, StepName.PASSWORD)
    assert authz.peers.enrolments.changes == 0
    await assert_not_signed_in(authz, browser, id)


@pytest.mark.parametrize("own", ["enrolment", "password"])
async def test_changes_by_the_sign_in_itself_do_not_end_it(authz: AuthzService, browser: FakeBrowser, own: str) -> None:
    """Users counts a required password or factor as a change of credentials as well."""
    authz.peers.people[ADA.user_id] = replace(
        ADA, has_password=True, email_verified=True, password_change_required=own == "password"
    )
    authz.peers.set_policy("org-1", force_mfa=own == "enrolment", enrolment=EnrolmentDemand.PASSWORD)
    authz.peers.enrolments.mail = ""
    authz.peers.set_policy("org-1", verified_mail=True)
    id = await browser.begin()
    shown = await browser.log_in(id)
    if own == "enrolment":
        shown = await browser.answer(id, shown, other=StepName.ENROL_TOTP)
        shown = await browser.answer(id, await browser.answer(id, shown, code=APP_CODE))
    else:
        shown = await browser.answer(id, shown, password=PASSWORD, new_password=NEW_PASSWORD)

    assert authz.peers.people[ADA.user_id].trust_epoch == 1
    assert shown.name is StepName.DONE
    assert await sessions(authz) == 1


async def test_session_that_remains_gets_its_second_factor(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Users ends the sessions that a change ends; others are the first factor of a step-up."""
    authz.peers.set_policy("org-1", factors=())
    await browser.sign_in()
    authz.peers.set_policy("org-1", factors=GRANTABLE)
    clock.tick(2)
    id = await browser.begin()
    waiting = await browser.ask(id)
    change(authz)

    assert waiting.name is StepName.TOTP
    assert (await browser.answer(id, waiting, code=CODE)).name is StepName.DONE


async def test_device_is_not_approved(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """Signing in on a device has the same pages (RFC 8628)."""
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), redirect_uris=(), response_types=())
    authz.peers.policies = dict.fromkeys(authz.peers.policies, LoginPolicy(device_authorization=True))
    begun = await bus.call(BEGIN_DEVICE, BeginDevice(client_id="tv", scope="openid", address="198.51.100.7"))
    id = request_in(await browser.get((await enter(browser, begun.user_code)).continue_to))
    waiting = await browser.log_in(id)
    replace_password(authz)
    again = await browser.answer(id, waiting, code=CODE)

    assert (waiting.name, again.name, again.problem) == (
        StepName.TOTP,
        StepName.PASSWORD,
        Problem.CREDENTIALS_CHANGED,
    )
    assert await sessions(authz) == 0


async def test_further_step_after_own_login_pages_starts_again(clock: FrozenClock, bus: MemoryBus) -> None:
    """The password was verified in a login session, and the second factor is requested on Portico's page."""
    authz = AuthzService(clock, bus, zitadel_names=True, own_login_url="https://login.example.test")
    authz.peers.people[ADA.user_id] = replace(ADA, has_password=True)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    browser = authz.browser()
    id = await begin_at(browser)
    await browser.get(await (await LoginClient(bus).with_password()).finish(id))
    waiting = await browser.ask(id)
    replace_password(authz)
    again = await browser.answer(id, waiting, code=CODE)

    assert (waiting.name, again.name, again.problem) == (
        StepName.TOTP,
        StepName.PASSWORD,
        Problem.CREDENTIALS_CHANGED,
    )


async def test_sign_in_of_an_earlier_release_continues(authz: AuthzService, browser: FakeBrowser) -> None:
    """The stored sign-in does not name the credentials; from its next factor on, the rule applies to it."""
    change(authz, password_change_required=True)
    id = await browser.begin()
    waiting = await browser.log_in(id)
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    stored = authz.stores.requests.records.get(id)
    assert stored is not None
    authz.stores.requests.records.change(id, with_values(stored, progress=with_values(stored.progress, epoch=None)))
    following = await browser.answer(id, waiting, code=CODE)
    replace_password(authz)
    again = await browser.ask(id)

    assert (waiting.name, following.name) == (StepName.TOTP, StepName.CHANGE_PASSWORD)
    assert (again.name, again.problem) == (StepName.PASSWORD, Problem.CREDENTIALS_CHANGED)
