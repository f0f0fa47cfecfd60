"""External identities without an account."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, LoginPolicy, Profile, ProviderRedirect
from portico_fakes.authz_external import ACME, IDENTITY
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, PASSWORD, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME,)) for org in ("", "org-1", "org-2")}
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def returned(browser: FakeBrowser, login_name: str = "") -> str:
    """Returns the id of a sign-in that returned from the provider; `login_name` was typed before."""
    id = await browser.begin()
    if login_name:
        await browser.name(id, login_name)
    state = await browser.leave(id, ACME.id)
    await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})
    return id


async def test_account_is_linked_after_all_factors(authz: AuthzService, browser: FakeBrowser) -> None:
    """The link is created after the second factor, so a password alone links nothing."""
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    id = await returned(browser)
    page = await browser.ask(id)
    factor = await browser.answer(id, page, password=PASSWORD)
    linked_early = list(authz.peers.providers.linked)
    done = await browser.answer(id, factor, code="111111")
    [link] = authz.peers.providers.linked

    assert (page.name, page.external_name, page.providers) == (StepName.PASSWORD, "Acme", ())
    assert (factor.name, linked_early, done.name) == (StepName.TOTP, [], StepName.DONE)
    assert (link.user_id, link.identity) == (ADA.user_id, IDENTITY)


async def test_another_account_proves_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """Bob's passkey does not prove the offered account, which is Ada's."""
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
    authz.peers.factors.give(BOB.user_id, Factor.PASSKEY)
    id = await returned(browser)
    asked = await browser.answer(id, await browser.ask(id), passkey=True)
    refused = await browser.answer(id, asked, credential=signed(asked.options, KEY_OF[BOB.user_id]))

    assert (refused.name, refused.problem) == (StepName.PASSKEY, Problem.WRONG_KEY)
    assert not authz.peers.providers.linked


async def test_passkey_proves_the_account(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    id = await returned(browser)
    asked = await browser.answer(id, await browser.ask(id), passkey=True)
    done = await browser.answer(id, asked, credential=signed(asked.options, KEY_OF[ADA.user_id]))

    assert (done.name, len(authz.peers.providers.linked)) == (StepName.DONE, 1)


async def test_restart_links_nothing(authz: AuthzService, browser: FakeBrowser) -> None:
    """A restart discards the external identity."""
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
    id = await returned(browser)
    named = await browser.answer(id, await browser.start_over(id), login_name="ada")
    done = await browser.answer(id, named, password=PASSWORD)

    assert (named.external_name, done.name, authz.peers.providers.linked) == ("", StepName.DONE, [])


async def test_refused_link_signs_no_user_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users decides in the transaction that links, and the sign-in starts again with the error."""
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
    authz.peers.providers.refuses_links = True
    id = await returned(browser)
    refused = await browser.answer(id, await browser.ask(id), password=PASSWORD)

    assert (refused.name, refused.problem, refused.set_cookie) == (
        StepName.LOGIN_NAME,
        Problem.EXTERNAL_FAILED,
        "",
    )


async def test_account_is_created_from_completed_details(authz: AuthzService, browser: FakeBrowser) -> None:
    """The identity is the stored one, and a form never marks an address as verified."""
    authz.peers.providers.find(ProviderRedirect.COMPLETE, missing=("user_name",))
    id = await returned(browser)
    page = await browser.ask(id)
    entered = Profile(user_name=" ada.l ", first_name="Ada", last_name="L", email="x@y.test", email_verified=True)
    taken = await browser.answer(id, page, profile=replace(entered, user_name="ada"))
    done = await browser.answer(id, taken, profile=entered)
    [made] = authz.peers.providers.created

    assert (page.name, page.profile, page.missing) == (StepName.COMPLETE_EXTERNAL, IDENTITY.profile, ("user_name",))
    assert (taken.name, taken.problem, taken.detail) == (page.name, Problem.INVALID_FIELD, "TEST-051")
    assert (made.identity, made.profile.user_name, made.profile.email_verified) == (IDENTITY, "ada.l", False)
    assert done.name is StepName.DONE


async def test_typed_domain_selects_no_organization_of_the_account(authz: AuthzService, browser: FakeBrowser) -> None:
    """A typed domain selects the rules; the account is created in the application's organization (decision 0048)."""
    authz.peers.providers.find(ProviderRedirect.COMPLETE)
    id = await returned(browser, "mallory@other.test")
    page = await browser.ask(id)
    await browser.answer(id, page, profile=page.profile)
    [finished], [created] = authz.peers.providers.finished, authz.peers.providers.created

    assert (finished.org_id, finished.home_id) == ("org-2", "org-1")
    assert (created.org_id, created.home_id) == ("org-2", "org-1")


async def test_separate_account_may_be_created(authz: AuthzService, browser: FakeBrowser) -> None:
    """The offered account may belong to another person."""
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA, may_create=True)
    id = await returned(browser)
    page = await browser.answer(id, await browser.ask(id), create=True)

    assert page.name is StepName.COMPLETE_EXTERNAL


@pytest.mark.parametrize("onward", [ProviderRedirect.NO_ACCOUNT, ProviderRedirect.COMPLETE])
async def test_signed_in_account_may_be_linked(
    authz: AuthzService, browser: FakeBrowser, onward: ProviderRedirect
) -> None:
    """The user may name any own account and prove it, and its name stays prefilled."""
    authz.peers.providers.find(onward, may_link=True)
    id = await returned(browser)
    names = await browser.answer(id, await browser.ask(id), link=True)
    asked = await browser.answer(id, names, login_name="bob")
    done = await browser.answer(id, asked, password=PASSWORD)

    assert (names.name, asked.external_name, done.name) == (StepName.LOGIN_NAME, "Acme", StepName.DONE)
    assert [link.user_id for link in authz.peers.providers.linked] == [BOB.user_id]


async def test_no_account_without_permission(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page is shown again whatever is submitted, and a restart is possible."""
    id = await returned(browser)
    page = await browser.answer(id, await browser.ask(id), link=True)
    made = await browser.answer(id, page, create=True, profile=Profile(user_name="mallory"))

    assert (page.name, made.name, authz.peers.providers.created) == (
        StepName.EXTERNAL_NO_ACCOUNT,
        StepName.EXTERNAL_NO_ACCOUNT,
        [],
    )
    assert (await browser.start_over(id)).name is StepName.LOGIN_NAME


async def test_details_of_one_identity_create_no_account_for_another(authz: AuthzService, browser: FakeBrowser) -> None:
    """Another tab comes back with another identity for the same request: the page is shown again, with its details."""
    authz.peers.providers.find(ProviderRedirect.COMPLETE)
    id = await browser.begin()
    states = [await browser.leave(id, ACME.id), await browser.leave(id, ACME.id)]
    await browser.come_back(provider_id=ACME.id, parameters={"state": states[0], "code": "right"})
    of_ada = await browser.ask(id)
    eve = replace(IDENTITY, subject="subject-2", profile=Profile(user_name="eve", email="eve@acme.example"))
    authz.peers.providers.finds = replace(authz.peers.providers.finds, identity=eve)
    await browser.come_back(provider_id=ACME.id, parameters={"state": states[1], "code": "right"})
    of_eve = await browser.answer(id, of_ada, profile=IDENTITY.profile)
    created = list(authz.peers.providers.created)
    done = await browser.answer(id, of_eve, profile=eve.profile)

    assert (of_eve.name, of_eve.profile, created) == (StepName.COMPLETE_EXTERNAL, eve.profile, [])
    assert done.name is StepName.DONE
    assert [(one.identity, one.profile) for one in authz.peers.providers.created] == [(eve, eve.profile)]
