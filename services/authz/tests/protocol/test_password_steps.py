from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.step_names import StepName
from portico_contracts.users import PasswordRules
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_reset_offer_reveals_no_account(authz: AuthzService, browser: FakeBrowser) -> None:
    """The organization of scope or domain, or the application's decides, never one that only the account would
    reveal (LG-01).
    """
    authz.peers.register("web", org_id="org-2")
    authz.peers.set_policy("org-2", may_reset=True)
    plain = await browser.name(await browser.begin())
    named = await browser.name(await browser.begin(), "ada@example.test")
    scoped = await browser.name(await browser.begin(scope="openid urn:portico:org:id:org-1"))
    other = await browser.name(await browser.begin(scope="openid urn:portico:org:id:org-2"))

    assert [one.may_reset for one in (plain, named, scoped, other)] == [True, False, False, True]


async def test_new_password_follows_its_organizations_rules(authz: AuthzService, browser: FakeBrowser) -> None:
    """The password rules are sent for a forced change and a registration, and not for other pages."""
    own, joined = PasswordRules(min_length=12), PasswordRules(number=True)
    authz.peers.set_policy("org-1", password_rules=own)
    authz.peers.set_policy("org-2", password_rules=joined)
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await browser.begin()
    first = await browser.ask(id)
    changing = await browser.log_in(id)
    scoped = await browser.ask(await browser.begin(prompt="create", scope="openid urn:portico:org:id:org-2"))
    anywhere = await browser.ask(await browser.begin(prompt="create"))

    assert first.password_rules is None
    assert (changing.name, changing.password_rules) == (StepName.CHANGE_PASSWORD, own)
    assert (scoped.name, scoped.password_rules) == (StepName.REGISTER, joined)
    assert anywhere.password_rules == own
