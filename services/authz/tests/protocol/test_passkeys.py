"""Sign-in with a passkey instead of name and password (LG-20)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, CALLBACK, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY, Factor.TOTP)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.mark.parametrize("named", [False, True])
async def test_passkey_completes_the_sign_in(authz: AuthzService, browser: FakeBrowser, named: bool) -> None:
    id = await browser.begin()
    page = await browser.name(id, "bob") if named else await browser.ask(id)
    assert page.may_use_passkey
    shown = await browser.answer(id, page, passkey=True)
    assert (shown.name, shown.others, shown.may_use_passkey) == (StepName.PASSKEY, (), False)
    assert (await browser.ask(id)).options == shown.options
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    landing = Landing(await browser.get(done.continue_to))
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant

    assert grant is not None
    assert (grant.user_id, grant.amr, grant.acr) == (ADA.user_id, ("pop", "user", "mfa"), "urn:portico:acr:phr")
    assert "code" in Landing(await browser.authorize(prompt="none")).query


async def test_credential_without_user_verification_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """Otherwise the finder of a lost authenticator would be signed in."""
    authz.peers.factors.user_verified = False
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    refused = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert (refused.name, refused.problem, refused.set_cookie) == (StepName.PASSKEY, Problem.WRONG_KEY, "")


async def test_passkey_does_not_bypass_the_organization(authz: AuthzService, browser: FakeBrowser) -> None:
    """Bob's passkey is valid, but his organization is not the requested one."""
    authz.peers.factors.give(BOB.user_id, Factor.PASSKEY)
    id = await browser.begin(scope="openid urn:portico:org:id:org-1")
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    refused = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[BOB.user_id]))

    assert (refused.name, refused.problem) == (StepName.PASSKEY, Problem.WRONG_KEY)


async def test_password_remains_available_without_passkey(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    wrong = await browser.answer(id, shown, credential=signed(shown.options, "no key"))
    back = await browser.answer(id, wrong, restart=True)
    named = await browser.answer(id, back, login_name="bob")

    assert (wrong.problem, wrong.options != shown.options) == (Problem.WRONG_KEY, True)
    assert back.name is StepName.LOGIN_NAME
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.DONE


async def test_other_requirements_follow_a_passkey(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.set_policy("org-1", verified_mail=True)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    asked = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert asked.name is StepName.VERIFY_EMAIL


async def test_passkey_of_a_deactivated_user_is_rejected(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users decides which users are active (P3)."""
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    del authz.peers.people[ADA.user_id]
    refused = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert refused.problem is Problem.WRONG_KEY


async def test_another_user_than_the_hinted_one_is_an_error(authz: AuthzService, browser: FakeBrowser) -> None:
    """The hint requires Bob, and another user signs in (OIDC Core §3.1.2.1)."""
    hint = authz.peers.sign({"iss": "https://id.example.test", "sub": BOB.user_id, "azp": "web", "aud": ["web"]})
    id = await browser.begin(id_token_hint=hint)
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert Landing(await browser.get(done.continue_to)).query["error"] == "login_required"


async def test_next_sign_in_may_be_by_password(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """The passkey of an earlier sign-in does not replace the second factor."""
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    clock.tick(1)
    again = await browser.begin(prompt="login")
    factor = await browser.log_in(again)

    assert (factor.name, factor.others) == (StepName.SECURITY_KEY, (StepName.TOTP,))
    assert replace(factor, csrf="").may_use_passkey is False
