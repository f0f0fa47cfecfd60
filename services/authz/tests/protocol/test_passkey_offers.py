from __future__ import annotations

import pytest
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


async def test_offered_passkey_completes_the_sign_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """The login name page submits the credential, without name or second factor, and the handle changes (LG-11)."""
    id = await browser.begin()
    page, before = await browser.ask(id), browser.handle
    options = await browser.offer(id)
    done = await browser.answer(id, page, credential=signed(options, KEY_OF[ADA.user_id]))
    landing = Landing(await browser.get(done.continue_to))
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant

    assert done.name is StepName.DONE
    assert browser.handle != before
    assert grant is not None
    assert (grant.user_id, grant.amr, grant.acr) == (ADA.user_id, ("pop", "user", "mfa"), "urn:portico:acr:phr")


async def test_offer_changes_nothing_of_the_sign_in(browser: FakeBrowser) -> None:
    """The open form stays valid, and a name submitted meanwhile is stored."""
    id = await browser.begin()
    page = await browser.ask(id)
    await browser.offer(id)
    named = await browser.answer(id, page, login_name="bob")
    late = await browser.offer(id)

    assert (named.name, named.login_name, late) == (StepName.PASSWORD, "bob", "")
    assert (await browser.answer(id, named, password=PASSWORD)).name is StepName.DONE


async def test_offer_is_renewed_before_it_expires(browser: FakeBrowser, clock: FrozenClock) -> None:
    """A reload keeps the challenge in the first half of its 5 minutes and replaces it in the second."""
    id = await browser.begin()
    first, again = await browser.offer(id), await browser.offer(id)
    clock.tick(150)

    assert first == again
    assert await browser.offer(id) != first


@pytest.mark.parametrize("key", ["no key", "bob"])
async def test_wrong_passkey_leads_to_the_passkey_page(authz: AuthzService, browser: FakeBrowser, key: str) -> None:
    """The page has another challenge, and the used one is not offered again (LG-19)."""
    id = await browser.begin(scope="openid urn:portico:org:id:org-1")
    authz.peers.factors.give(BOB.user_id, Factor.PASSKEY)
    page, options = await browser.ask(id), await browser.offer(id)
    refused = await browser.answer(id, page, credential=signed(options, KEY_OF.get(f"u-{key}", key)))
    back = await browser.answer(id, refused, restart=True)

    assert (refused.name, refused.problem, refused.set_cookie) == (StepName.PASSKEY, Problem.WRONG_KEY, "")
    assert refused.options != options
    assert back.name is StepName.LOGIN_NAME
    assert await browser.offer(id) != options


async def test_passkey_needs_user_verification(authz: AuthzService, browser: FakeBrowser) -> None:
    """A passkey that is the whole sign-in requires user verification."""
    authz.peers.factors.user_verified = False
    id = await browser.begin()
    page, options = await browser.ask(id), await browser.offer(id)
    refused = await browser.answer(id, page, credential=signed(options, KEY_OF[ADA.user_id]))

    assert (refused.name, refused.problem) == (StepName.PASSKEY, Problem.WRONG_KEY)


async def test_challenge_is_valid_for_its_login_only(authz: AuthzService, browser: FakeBrowser) -> None:
    """A challenge of another browser, or an invented one, signs no user in (LG-11)."""
    other = authz.browser()
    stolen = await other.offer(await other.begin())
    id = await browser.begin()
    unasked = await browser.answer(id, await browser.ask(id), credential=signed(stolen, KEY_OF[ADA.user_id]))
    await browser.offer(id)
    refused = await browser.answer(id, unasked, credential=signed(stolen, KEY_OF[ADA.user_id]))

    assert (unasked.name, unasked.problem) == (StepName.LOGIN_NAME, Problem.NONE)
    assert refused.problem is Problem.WRONG_KEY


async def test_no_other_browser_gets_a_challenge(authz: AuthzService, browser: FakeBrowser) -> None:
    """The challenge belongs to the browser of the login, and an unknown login is not found (P3)."""
    id = await browser.begin()
    thief = authz.browser()
    await thief.begin()

    assert (await thief.offer_raw(id)).status_code == 403
    assert (await browser.offer_raw("7f" + "A" * 43)).status_code == 404


async def test_no_challenge_where_passkeys_are_not_accepted(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.set_policy("org-1", factors=(Factor.TOTP,))
    id = await browser.begin(scope="openid urn:portico:org:id:org-1")

    assert not (await browser.ask(id)).may_use_passkey
    assert await browser.offer(id) == ""


async def test_lost_response_is_restored_for_the_same_passkey(browser: FakeBrowser) -> None:
    """The old handle with the identical form gets the new one, and a password does not replace the passkey (LG-08)."""
    id = await browser.begin()
    page, before = await browser.ask(id), browser.handle
    credential = signed(await browser.offer(id), KEY_OF[ADA.user_id])
    await browser.answer(id, page, credential=credential)
    after, browser.handle = browser.handle, before
    shown = await browser.ask(id)
    again = await browser.answer(id, page, credential=credential)

    assert shown.name is StepName.PASSKEY
    assert again.name is StepName.DONE
    assert browser.handle == after
