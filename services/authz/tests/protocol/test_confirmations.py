"""A user who is signed in proves again who it is (prompt=login or max_age, with id_token_hint)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, CALLBACK, ISSUER, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def redeem(bus: MemoryBus, landing: Landing) -> CodeGrant:
    asked = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await bus.call(REDEEM_CODE, asked)).grant
    assert grant is not None
    return grant


@pytest.mark.parametrize("parameters", [{"prompt": "login"}, {"max_age": "0"}])
async def test_known_user_confirms_with_the_password(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock, parameters: dict[str, str]
) -> None:
    """With id_token_hint and a session of that user, the sign-in begins with the proof and offers no other account."""
    await browser.sign_in()
    clock.tick(60)
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    id = await browser.begin(id_token_hint=hint, **parameters)
    shown = await browser.ask(id)
    assert (shown.name, shown.confirms, shown.login_name) == (StepName.PASSWORD, True, ADA.user_name)

    wrong = await browser.answer(id, shown, password="wrong")
    again = await browser.answer(id, wrong, restart=True)
    assert (wrong.confirms, again.name, again.confirms) == (True, StepName.PASSWORD, True)
    done = await browser.answer(id, again, password=PASSWORD)
    landing = Landing(await browser.get(done.continue_to))
    assert (await redeem(bus, landing)).auth_time == clock.now()


async def test_renamed_user_confirms_with_the_password(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The password is verified for the current login name, and is not an attempt on the user who has the former one by
    then.
    """
    await browser.sign_in()
    authz.peers.people[ADA.user_id] = replace(ADA, user_name="lovelace", login_name="lovelace@example.test")
    authz.peers.people["u-eve"] = replace(ADA, user_id="u-eve")
    clock.tick(60)
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    id = await browser.begin(id_token_hint=hint, max_age="0")
    shown = await browser.ask(id)
    again = await browser.answer(id, shown, restart=True)
    done = await browser.answer(id, again, password=PASSWORD)

    assert (shown.login_name, again.login_name) == ("lovelace@example.test", "lovelace@example.test")
    assert authz.peers.attempts[-1].login_name == "lovelace@example.test"
    assert done.name is StepName.DONE


async def test_stranger_is_asked_for_the_name(authz: AuthzService, browser: FakeBrowser) -> None:
    """Without a session of the hinted user, or with one of another, the browser learns nothing (LG-01)."""
    hint = authz.peers.sign({"iss": ISSUER, "sub": BOB.user_id})
    for signed_in in (False, True):
        if signed_in:
            await browser.sign_in()
        shown = await browser.ask(await browser.begin(id_token_hint=hint, prompt="login"))
        assert (shown.name, shown.confirms) == (StepName.LOGIN_NAME, False)


async def test_user_of_a_passkey_confirms_with_it(authz: AuthzService, browser: FakeBrowser) -> None:
    """A sign-in that began with a passkey requests it, and the password can be used instead."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    first = await browser.begin()
    asked = await browser.answer(first, await browser.ask(first), passkey=True)
    done = await browser.answer(first, asked, credential=signed(asked.options, KEY_OF[ADA.user_id]))
    await browser.get(done.continue_to)
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    id = await browser.begin(id_token_hint=hint, prompt="login")
    shown = await browser.ask(id)
    instead = await browser.answer(id, shown, restart=True)

    assert (shown.name, shown.confirms, bool(shown.options)) == (StepName.PASSKEY, True, True)
    assert (instead.name, instead.confirms, instead.login_name) == (StepName.PASSWORD, True, "ada@example.test")


@pytest.mark.parametrize("factors", [(), (Factor.TOTP,), (Factor.PASSKEY,)])
async def test_passkey_is_offered_only_to_a_known_user_who_has_one(
    authz: AuthzService, browser: FakeBrowser, factors: tuple[Factor, ...]
) -> None:
    """A session of this browser names the user, so the offer reveals nothing to a stranger (LG-01)."""
    await browser.sign_in()
    authz.peers.factors.give(ADA.user_id, *factors)
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    shown = await browser.ask(await browser.begin(id_token_hint=hint, prompt="login"))

    assert (shown.name, shown.may_use_passkey) == (StepName.PASSWORD, Factor.PASSKEY in factors)
