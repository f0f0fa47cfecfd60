"""Which factors count is a matter of somebody's organization: the others are not asked for, and prove nothing (LG-08)."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from portico_contracts.login import Problem, Step, StepName
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
    """Ada's organization lets these count, and no others."""
    authz.peers.demand("org-1", factors=factors)


def but(*factors: Factor) -> tuple[Factor, ...]:
    """All others."""
    return tuple(factor for factor in GRANTABLE if factor not in factors)


async def entered(authz: AuthzService, browser: FakeBrowser, id: str, shown: Step) -> Step:
    """The right answer of Ada to a page of a factor."""
    if shown.name in (StepName.SECURITY_KEY, StepName.PASSKEY):
        return await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    mailed = next(reversed(authz.peers.factors.letters.values()), "")
    return await browser.answer(id, shown, code=mailed if shown.name is StepName.OTP_EMAIL else "111111")


@pytest.mark.parametrize("kept", STEP)
async def test_only_what_counts_is_asked_for(authz: AuthzService, browser: FakeBrowser, kept: Factor) -> None:
    """And offered: beside it only the recovery codes, which stand in for whatever counts."""
    authz.peers.factors.give(ADA.user_id, *Factor)
    let(authz, kept)
    id = await browser.begin()
    shown = await browser.log_in(id)

    assert (shown.name, shown.others) == (STEP[kept], (StepName.RECOVERY_CODE,))
    assert (await entered(authz, browser, id, shown)).name is StepName.DONE


@pytest.mark.parametrize("factors", [(Factor.TOTP,), (Factor.TOTP, Factor.RECOVERY_CODE)])
@pytest.mark.parametrize("forced", [False, True])
async def test_what_does_not_count_is_as_if_it_were_not_there(
    authz: AuthzService, browser: FakeBrowser, forced: bool, factors: Collection[Factor]
) -> None:
    """Nothing is demanded of whoever has nothing else, unless a factor is demanded of all."""
    authz.peers.factors.give(ADA.user_id, *factors)
    authz.peers.demand("org-1", factors=but(Factor.TOTP), force_mfa=forced)
    shown = await browser.log_in(await browser.begin())

    assert shown.name is (StepName.FACTOR_MISSING if forced else StepName.DONE)


@pytest.mark.parametrize("factor", STEP)
async def test_a_page_that_is_open_proves_nothing_any_more(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, factor: Factor
) -> None:
    """Once the policy changed the right answer is none: what counts now is asked for."""
    authz.peers.factors.give(ADA.user_id, *STEP)
    authz.peers.demand("org-1", factors=(factor,), force_mfa=True)
    id = await browser.begin()
    shown = await browser.log_in(id)
    let(authz, *(other for other in STEP if other is not factor))
    clock.tick(2)
    refused = await entered(authz, browser, id, shown)

    assert shown.name is STEP[factor]
    assert refused.name in set(STEP.values()) - {STEP[factor]}
    assert refused.set_cookie == ""


async def test_a_key_of_a_kind_that_does_not_count_is_a_wrong_one(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users is asked for the kinds that count, and says which kind answered."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F, Factor.PASSKEY)
    let(authz, Factor.PASSKEY)
    id = await browser.begin()
    shown = await browser.log_in(id)
    begun = next(reversed(authz.peers.factors.begun.values()))
    refused = await entered(authz, browser, id, shown)

    assert (shown.name, begun.kinds) == (StepName.SECURITY_KEY, (Factor.PASSKEY,))
    assert (refused.name, refused.problem) == (StepName.SECURITY_KEY, Problem.WRONG_KEY)


async def test_a_passkey_is_no_second_factor_where_passkeys_do_not_count(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """It is not taken for a key of the other kind."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY, Factor.TOTP)
    let(authz, *but(Factor.PASSKEY))
    shown = await browser.log_in(await browser.begin())

    assert (shown.name, shown.others) == (StepName.TOTP, ())


async def test_passkeys_are_offered_where_they_count(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """By the organization of the scope or of the name; else by the instance, as long as nobody is known."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    let(authz, *but(Factor.PASSKEY))
    of_org = await browser.begin(scope="openid urn:portico:org:id:org-1")
    page = await browser.ask(of_org)
    pressed = await browser.answer(of_org, page, passkey=True)
    named = await browser.name(of_org)
    pressed_again = await browser.answer(of_org, named, passkey=True)
    of_all = await browser.ask(await browser.begin())
    authz.peers.demand("", factors=but(Factor.PASSKEY))
    clock.tick(2)
    nowhere = await browser.ask(await browser.begin())

    assert (page.may_use_passkey, pressed.name) == (False, StepName.LOGIN_NAME)
    assert (named.may_use_passkey, pressed_again.name) == (False, StepName.PASSWORD)
    assert pressed_again.problem is Problem.NONE
    assert (of_all.may_use_passkey, nowhere.may_use_passkey) == (True, False)


async def test_a_passkey_proves_nothing_where_it_does_not_count(authz: AuthzService, browser: FakeBrowser) -> None:
    """The instance offers them, and the organization of whoever answers says otherwise."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    let(authz, *but(Factor.PASSKEY))
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    refused = await entered(authz, browser, id, shown)

    assert (refused.name, refused.problem, refused.set_cookie) == (StepName.PASSKEY, Problem.WRONG_KEY, "")


async def test_a_session_is_not_asked_for_what_does_not_count(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """An authenticator app that was registered meanwhile is no reason to ask anybody, nor to refuse a silent request."""
    let(authz, *but(Factor.TOTP))
    assert "code" in (await browser.sign_in()).query
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(2)

    assert "code" in Landing(await browser.authorize(prompt="none")).query
