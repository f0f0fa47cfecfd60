"""Trusted devices: no second factor is requested in a browser that the user trusts (decision 0100)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts import events, http
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.login import Step, StepName
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, CALLBACK, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_trusted_devices import MemoryTrustedDevices
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT

DAY = 86_400
DAYS = 30


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.factors.reusable = True
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    set_days(authz, DAYS)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def set_days(authz: AuthzService, days: int) -> None:
    for org_id, policy in authz.peers.policies.items():
        authz.peers.policies[org_id] = replace(policy, trusted_device_days=days)


def devices_of(authz: AuthzService) -> MemoryTrustedDevices:
    assert isinstance(authz.stores.trusted_devices, MemoryTrustedDevices)
    return authz.stores.trusted_devices


async def prove(browser: FakeBrowser, id: str, shown: Step, *, trust: bool = True) -> Step:
    """Answers the step of a second factor as its owner."""
    if shown.name is StepName.SECURITY_KEY:
        return await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]), trust=trust)
    code = "AAAA-BBBB" if shown.name is StepName.RECOVERY_CODE else "111111"
    return await browser.answer(id, shown, code=code, trust=trust)


async def trust_device(browser: FakeBrowser, login_name: str = "ada") -> None:
    id = await browser.begin()
    done = await prove(browser, id, await browser.log_in(id, login_name))
    await browser.get(done.continue_to)


async def grant_of(authz: AuthzService, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def step_after_password(browser: FakeBrowser, login_name: str = "ada", **parameters: str) -> StepName:
    """The step after the password in a new sign-in, without a session."""
    id = await browser.begin(**parameters)
    return (await browser.log_in(id, login_name)).name


async def sign_out(browser: FakeBrowser) -> None:
    shown = await browser.get(http.END_SESSION)
    id = shown.headers["location"].partition("request=")[2]
    assert (await browser.confirm_logout(id, (await browser.get_logout(id)).csrf)).status_code == 200


async def test_factor_is_not_requested_in_a_trusted_browser(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """After the session: the password alone. amr and acr state only what was proven, and the event has the reason."""
    await trust_device(browser)
    clock.tick(2 * DAY)

    grant = await grant_of(authz, await browser.sign_in())
    assert (grant.amr, grant.acr) == (("pwd",), ACR_PASSWORD)
    await authz.publisher.settle()
    signed_in = [body for subject, body in bus.published if subject == events.LOGIN_SUCCEEDED.subject]
    assert [body.skipped_factor for body in signed_in] == ["", "trusted_device"]


async def test_trust_outlasts_the_second_factor_of_a_session(browser: FakeBrowser, clock: FrozenClock) -> None:
    """Also silently: a session whose factor is too old suffices where the browser is trusted."""
    await trust_device(browser)
    for _ in range(3):
        clock.tick(DAY * 0.9)
        assert "code" in Landing(await browser.authorize(prompt="none")).query


@pytest.mark.parametrize("factors", [(Factor.TOTP,), (Factor.U2F,), (Factor.TOTP, Factor.RECOVERY_CODE)])
async def test_every_factor_can_be_remembered(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, factors: tuple[Factor, ...]
) -> None:
    authz.peers.factors.give(ADA.user_id, *factors)
    id = await browser.begin()
    shown = await browser.log_in(id)
    if Factor.RECOVERY_CODE in factors:
        shown = await browser.answer(id, shown, other=StepName.RECOVERY_CODE)
    assert shown.trust_days == DAYS
    assert (await prove(browser, id, shown)).name is StepName.DONE
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.DONE


async def test_trust_is_offered_only_by_policy(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Off by default; a page that sends it nevertheless changes nothing."""
    set_days(authz, 0)
    id = await browser.begin()
    shown = await browser.log_in(id)
    assert shown.trust_days == 0
    await prove(browser, id, shown)
    clock.tick(2 * DAY)
    set_days(authz, DAYS)
    clock.tick(2)

    assert await step_after_password(browser) is StepName.TOTP


async def test_wrong_code_begins_no_trust(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    shown = await browser.answer(id, await browser.log_in(id), code="no code", trust=True)
    await prove(browser, id, shown, trust=False)

    assert await authz.stores.trusted_devices.list(ADA.user_id) == ()


@pytest.mark.parametrize(
    ("asked", "reached"),
    [
        ({"acr_values": ACR_MULTI_FACTOR}, ACR_MULTI_FACTOR),
        ({"acr_values": ACR_PHISHING_RESISTANT}, ACR_MULTI_FACTOR),
        ({"max_age": "86400"}, ACR_MULTI_FACTOR),
        ({"prompt": "login"}, ACR_MULTI_FACTOR),
    ],
)
@pytest.mark.parametrize("with_session", [True, False])
async def test_applications_that_demand_a_sign_in_get_a_factor(
    authz: AuthzService,
    browser: FakeBrowser,
    clock: FrozenClock,
    asked: dict[str, str],
    reached: str,
    with_session: bool,
) -> None:
    """acr_values above the password, max_age and prompt=login are satisfied by a proven factor only (LG-08)."""
    await trust_device(browser)
    clock.tick(2 * DAY)
    if with_session:
        await browser.sign_in()
    id = await browser.begin(**asked)
    shown = await browser.ask(id)
    if shown.name in (StepName.LOGIN_NAME, StepName.PASSWORD):
        shown = await browser.log_in(id)
    assert shown.name is StepName.TOTP

    done = await prove(browser, id, shown, trust=False)
    assert (await grant_of(authz, Landing(await browser.get(done.continue_to)))).acr == reached


async def test_two_people_trust_one_browser_each_for_themselves(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    authz.peers.factors.give(BOB.user_id, Factor.TOTP)
    await trust_device(browser)
    clock.tick(2 * DAY)
    assert await step_after_password(browser, "bob") is StepName.TOTP
    await trust_device(browser, "bob")
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.DONE
    clock.tick(2 * DAY)
    assert await step_after_password(browser, "bob") is StepName.DONE


async def test_other_browsers_are_not_trusted(authz: AuthzService, browser: FakeBrowser) -> None:
    await trust_device(browser)

    assert await step_after_password(authz.browser()) is StepName.TOTP


async def test_trust_survives_the_sign_out_of_its_browser(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The sessions end, and the handle is another one (IR-14, LG-11)."""
    await trust_device(browser)
    before = browser.handle
    await sign_out(browser)
    assert browser.handle not in ("", before)
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"

    assert await step_after_password(browser) is StepName.DONE


@pytest.mark.parametrize("days", [0, 1])
async def test_policy_of_fewer_days_applies_at_once(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, days: int
) -> None:
    await trust_device(browser)
    clock.tick(2 * DAY)
    set_days(authz, days)
    clock.tick(2)

    assert await step_after_password(browser) is StepName.TOTP


async def test_trust_ends_after_its_days(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Use does not extend it, and neither does a policy of more days."""
    await trust_device(browser)
    set_days(authz, 365)
    clock.tick(DAYS * DAY - 60)
    assert await step_after_password(browser) is StepName.DONE
    clock.tick(60)
    late = await step_after_password(browser)

    assert late is StepName.TOTP


async def test_changed_credentials_end_the_trust(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """The service users counts changes of the password, of factors and of the state in the epoch."""
    await trust_device(browser)
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], trust_epoch=1)
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.TOTP


async def test_credentials_changed_after_the_factor_begin_no_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The epoch is that of the proof, not that of the end of the sign-in."""
    ada = authz.peers.people[ADA.user_id]
    authz.peers.people[ADA.user_id] = replace(ada, password_change_required=True)
    id = await browser.begin()
    assert (await prove(browser, id, await browser.log_in(id))).name is StepName.CHANGE_PASSWORD
    authz.peers.people[ADA.user_id] = replace(ada, trust_epoch=1)
    await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    await browser.ask(id)
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.TOTP


async def test_factor_that_the_policy_no_longer_accepts_is_not_trusted(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.TOTP, Factor.OTP_EMAIL)
    await trust_device(browser)
    policy = authz.peers.policies["org-1"]
    authz.peers.policies["org-1"] = replace(policy, factors=(Factor.OTP_EMAIL,))
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.OTP_EMAIL


async def test_user_without_a_usable_factor_is_not_signed_in_by_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await trust_device(browser)
    policy = authz.peers.policies["org-1"]
    authz.peers.policies["org-1"] = replace(policy, factors=(Factor.U2F,), force_mfa=True)
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.FACTOR_MISSING


async def test_copied_cookie_ends_the_trust(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Each sign-in replaces the handle; a later use of the earlier one ends the trust for both (LG-11)."""
    await trust_device(browser)
    thief = authz.browser()
    thief.handle = browser.handle
    clock.tick(2 * DAY)
    assert await step_after_password(browser) is StepName.DONE
    clock.tick(2 * DAY)

    assert await step_after_password(thief) is StepName.TOTP
    assert await step_after_password(browser) is StepName.TOTP


async def test_cookie_from_before_the_sign_out_ends_the_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await trust_device(browser)
    thief = authz.browser()
    thief.handle = browser.handle
    await sign_out(browser)
    clock.tick(60)
    await thief.begin()

    assert await step_after_password(browser) is StepName.TOTP


async def test_overtaken_request_does_not_end_the_trust(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """Several tabs of a browser sign in at once, and one still sends the earlier cookie."""
    await trust_device(browser)
    tab = authz.browser()
    tab.handle = browser.handle
    clock.tick(2 * DAY)
    assert await step_after_password(browser) is StepName.DONE
    await tab.begin()
    clock.tick(2 * DAY)

    assert await step_after_password(browser) is StepName.DONE


async def test_factor_is_requested_without_the_store(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await trust_device(browser)
    clock.tick(2 * DAY)
    devices_of(authz).records.down = True

    assert await step_after_password(browser) is StepName.TOTP
