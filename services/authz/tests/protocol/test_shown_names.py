"""Pages show the login name as the user typed it, without the organization's domain behind an address."""

from __future__ import annotations

import pytest
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, User
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_logouts import logout_in
from portico_fakes.authz_service import ADA, PASSWORD, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

QUALIFIED, ADDRESS = "nils@example.com@demo.localhost", "nils@example.com"
NILS = User(user_id=ADA.user_id, org_id="org-1", user_name=ADDRESS, login_name=QUALIFIED, human=True)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.people[NILS.user_id] = NILS
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def signed_in(browser: FakeBrowser, typed: str = ADDRESS) -> None:
    await browser.get((await browser.log_in(await browser.begin(), typed)).continue_to)


@pytest.mark.parametrize("typed", [ADDRESS, QUALIFIED])
async def test_account_page_shows_the_typed_name(browser: FakeBrowser, typed: str) -> None:
    await signed_in(browser, typed)
    id = await browser.begin(prompt="select_account login")
    shown = await browser.ask(id)
    named = await browser.answer(id, shown, account=shown.accounts[0].id)
    done = await browser.answer(id, named, password=PASSWORD)

    assert [account.login_name for account in shown.accounts] == [typed]
    assert (named.name, named.login_name) == (StepName.PASSWORD, typed)
    assert done.name is StepName.DONE


async def test_new_sign_in_prefills_the_typed_name(browser: FakeBrowser) -> None:
    await signed_in(browser)
    shown = await browser.ask(await browser.begin(prompt="login"))

    assert ADDRESS in (shown.login_name, *(account.login_name for account in shown.accounts))
    assert QUALIFIED not in (shown.login_name, *(account.login_name for account in shown.accounts))


async def test_second_factor_page_shows_the_typed_name(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await signed_in(browser)
    clock.tick(2)  # what is known of a user is remembered for a second
    authz.peers.factors.give(NILS.user_id, Factor.TOTP)
    shown = await browser.ask(await browser.begin())

    assert (shown.name, shown.login_name) == (StepName.TOTP, ADDRESS)


async def test_logout_page_shows_the_typed_name(browser: FakeBrowser) -> None:
    await signed_in(browser)
    shown = await browser.get_logout(logout_in(await browser.end_session()))

    assert [account.login_name for account in shown.accounts] == [ADDRESS]


async def test_after_a_passkey_the_address_is_shown_alone(authz: AuthzService, browser: FakeBrowser) -> None:
    """A user name that is an address is shown without the organization's domain."""
    authz.peers.factors.give(NILS.user_id, Factor.PASSKEY)
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[NILS.user_id]))
    await browser.get(done.continue_to)
    chosen = await browser.ask(await browser.begin(prompt="select_account"))

    assert [account.login_name for account in chosen.accounts] == [ADDRESS]


async def test_id_token_hint_prefills_the_address_alone(authz: AuthzService, browser: FakeBrowser) -> None:
    hint = authz.peers.sign({"iss": "https://id.example.test", "sub": NILS.user_id, "azp": "web", "aud": ["web"]})
    shown = await browser.ask(await browser.begin(id_token_hint=hint))

    assert shown.login_name == ADDRESS


async def test_changed_name_replaces_the_typed_one(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await signed_in(browser)
    renamed = User(user_id=NILS.user_id, org_id="org-1", user_name="nils", login_name="nils@demo.localhost", human=True)
    authz.peers.people[NILS.user_id] = renamed
    clock.tick(2)  # what is known of a user is remembered for a second
    chosen = await browser.ask(await browser.begin(prompt="select_account"))

    assert [account.login_name for account in chosen.accounts] == ["nils@demo.localhost"]
