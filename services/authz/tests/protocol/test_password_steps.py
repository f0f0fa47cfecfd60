"""What the pages are told about passwords: whether a forgotten one can be reset, and what a new one must have."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.login import StepName
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


async def test_only_what_the_page_knows_says_whether_a_password_can_be_reset(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """The organization of the scope or of the name's domain; never the one only the account would tell (LG-01)."""
    authz.peers.demand("", may_reset=True)
    authz.peers.demand("org-2", may_reset=True)
    plain = await browser.name(await browser.begin())
    named = await browser.name(await browser.begin(), "ada@example.test")
    scoped = await browser.name(await browser.begin(scope="openid urn:portico:org:id:org-1"))
    other = await browser.name(await browser.begin(scope="openid urn:portico:org:id:org-2"))

    assert [one.may_reset for one in (plain, named, scoped, other)] == [True, False, False, True]


async def test_a_new_password_is_measured_by_the_organization_it_is_of(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """Of the person who must change one, and of the organization somebody joins; no other page is told of rules."""
    own, joined = PasswordRules(min_length=12), PasswordRules(number=True)
    authz.peers.demand("org-1", password_rules=own)
    authz.peers.demand("org-2", password_rules=joined)
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=True)
    id = await browser.begin()
    first = await browser.ask(id)
    changing = await browser.log_in(id)
    scoped = await browser.ask(await browser.begin(prompt="create", scope="openid urn:portico:org:id:org-2"))
    anywhere = await browser.ask(await browser.begin(prompt="create"))

    assert first.password_rules is None
    assert (changing.name, changing.password_rules) == (StepName.CHANGE_PASSWORD, own)
    assert (scoped.name, scoped.password_rules) == (StepName.REGISTER, joined)
    assert anywhere.password_rules == PasswordRules()
