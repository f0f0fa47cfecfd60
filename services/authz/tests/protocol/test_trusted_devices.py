"""Trusted devices: no second factor is requested in a browser that the user trusts (decision 0100)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts import events
from portico_contracts.authz import (
    REDEEM_CODE,
    CodeGrant,
    RedeemCode,
)
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, ProviderRedirect
from portico_fakes.authz_external import ACME
from portico_fakes.authz_peers import PASSWORD
from portico_fakes.authz_service import ADA, BOB, CALLBACK, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.trusted_browser import (
    DAY,
    DAYS,
    devices_of,
    prove,
    set_days,
    sign_out,
    step_after_password,
    trust_device,
    trusting_authz,
)
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return trusting_authz(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def grant_of(authz: AuthzService, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


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
    """In a trusted browser a session whose factor is too old suffices, also with prompt=none."""
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


@pytest.mark.parametrize("own", ["new password", "link"])
async def test_trust_outlasts_changes_of_its_own_sign_in(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, own: str
) -> None:
    """A required new password, and the link of an identity, change the credentials as others' changes do."""
    id = await browser.begin()
    if own == "link":
        authz.peers.policies |= dict.fromkeys(
            authz.peers.policies, replace(authz.peers.policies[""], providers=(ACME,))
        )
        authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
        state = await browser.leave(id, ACME.id)
        back = await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})
        asked = await browser.answer(id, back.step, password=PASSWORD)
    else:
        user = authz.peers.people[ADA.user_id]
        authz.peers.people[ADA.user_id] = replace(user, password_change_required=True)
        asked = await browser.log_in(id)
    done = await prove(browser, id, asked)
    if own == "new password":
        done = await browser.answer(id, done, password=PASSWORD, new_password=PASSWORD)
    await browser.get(done.continue_to)
    clock.tick(2 * DAY)

    assert done.name is StepName.DONE
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


async def test_factor_is_requested_without_the_store(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await trust_device(browser)
    clock.tick(2 * DAY)
    devices_of(authz).records.down = True

    assert await step_after_password(browser) is StepName.TOTP
