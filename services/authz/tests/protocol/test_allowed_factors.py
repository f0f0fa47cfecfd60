"""The user's organization restricts the accepted factors: others are neither requested nor sufficient (LG-08)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import GRANTABLE, Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

STEP = {
    Factor.U2F: StepName.SECURITY_KEY,
    Factor.TOTP: StepName.TOTP,
    Factor.OTP_EMAIL: StepName.OTP_EMAIL,
}


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def let(authz: AuthzService, *factors: Factor) -> None:
    authz.peers.set_policy("org-1", factors=factors)


def but(*factors: Factor) -> tuple[Factor, ...]:
    return tuple(factor for factor in GRANTABLE if factor not in factors)


async def entered(authz: AuthzService, browser: FakeBrowser, id: str, shown: Any) -> Any:
    if shown.name in (StepName.SECURITY_KEY, StepName.PASSKEY):
        return await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    mailed = next(reversed(authz.peers.factors.letters.values()), "")
    return await browser.answer(id, shown, code=mailed if shown.name is StepName.OTP_EMAIL else "111111")


@pytest.mark.parametrize("accepted", STEP)
async def test_only_accepted_factors_are_requested(authz: AuthzService, browser: FakeBrowser, accepted: Factor) -> None:
    """Recovery codes are offered in addition to the accepted factors."""
    authz.peers.factors.give(ADA.user_id, *Factor)
    let(authz, accepted)
    id = await browser.begin()
    shown = await browser.log_in(id)

    assert (shown.name, shown.others) == (STEP[accepted], (StepName.RECOVERY_CODE,))
    assert (await entered(authz, browser, id, shown)).name is StepName.DONE


@pytest.mark.parametrize("factors", [(Factor.TOTP,), (Factor.TOTP, Factor.RECOVERY_CODE)])
@pytest.mark.parametrize("forced", [False, True])
async def test_unaccepted_factor_has_no_effect(
    authz: AuthzService, browser: FakeBrowser, forced: bool, factors: Collection[Factor]
) -> None:
    """A user with only unaccepted factors needs none, unless the policy requires a second factor."""
    authz.peers.factors.give(ADA.user_id, *factors)
    authz.peers.set_policy("org-1", factors=but(Factor.TOTP), force_mfa=forced)
    shown = await browser.log_in(await browser.begin())

    assert shown.name is (StepName.FACTOR_MISSING if forced else StepName.DONE)


@pytest.mark.parametrize("factor", STEP)
async def test_open_page_of_an_unaccepted_factor_is_refused(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, factor: Factor
) -> None:
    """After a change of the policy the right code is rejected and an accepted factor is requested."""
    authz.peers.factors.give(ADA.user_id, *STEP)
    authz.peers.set_policy("org-1", factors=(factor,), force_mfa=True)
    id = await browser.begin()
    shown = await browser.log_in(id)
    let(authz, *(other for other in STEP if other is not factor))
    clock.tick(2)
    refused = await entered(authz, browser, id, shown)

    assert shown.name is STEP[factor]
    assert refused.name in set(STEP.values()) - {STEP[factor]}
    assert refused.set_cookie == ""


async def test_authenticator_of_an_unaccepted_kind_is_rejected(authz: AuthzService, browser: FakeBrowser) -> None:
    """The request to users has the accepted kinds, and the response states the kind used."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F, Factor.PASSKEY)
    let(authz, Factor.PASSKEY)
    id = await browser.begin()
    shown = await browser.log_in(id)
    begun = next(reversed(authz.peers.factors.begun.values()))
    refused = await entered(authz, browser, id, shown)

    assert (shown.name, begun.kinds) == (StepName.SECURITY_KEY, (Factor.PASSKEY,))
    assert (refused.name, refused.problem) == (StepName.SECURITY_KEY, Problem.WRONG_KEY)


async def test_unaccepted_passkey_is_not_a_second_factor(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY, Factor.TOTP)
    let(authz, *but(Factor.PASSKEY))
    shown = await browser.log_in(await browser.begin())

    assert (shown.name, shown.others) == (StepName.TOTP, ())


async def test_passkeys_are_offered_where_accepted(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The organization of the scope or login name decides, or the application's otherwise."""
    authz.peers.register("web", org_id="org-2")
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    let(authz, *but(Factor.PASSKEY))
    of_org = await browser.begin(scope="openid urn:portico:org:id:org-1")
    page = await browser.ask(of_org)
    pressed = await browser.answer(of_org, page, passkey=True)
    named = await browser.name(of_org)
    pressed_again = await browser.answer(of_org, named, passkey=True)
    of_all = await browser.ask(await browser.begin())
    authz.peers.set_policy("org-2", factors=but(Factor.PASSKEY))
    clock.tick(2)
    nowhere = await browser.ask(await browser.begin())

    assert (page.may_use_passkey, pressed.name) == (False, StepName.LOGIN_NAME)
    assert (named.may_use_passkey, pressed_again.name) == (False, StepName.PASSWORD)
    assert pressed_again.problem is Problem.NONE
    assert (of_all.may_use_passkey, nowhere.may_use_passkey) == (True, False)


async def test_passkey_of_an_organization_without_passkeys_is_rejected(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """The application's organization offers passkeys, but the organization of the user rejects them."""
    authz.peers.register("web", org_id="org-2")
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    let(authz, *but(Factor.PASSKEY))
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    refused = await entered(authz, browser, id, shown)

    assert (refused.name, refused.problem, refused.set_cookie) == (StepName.PASSKEY, Problem.WRONG_KEY, "")


async def test_session_needs_no_unaccepted_factor(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    let(authz, *but(Factor.TOTP))
    assert "code" in (await browser.sign_in()).query
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(2)

    assert "code" in Landing(await browser.authorize(prompt="none")).query
