from __future__ import annotations

import pytest
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME, DIRECTORY, IDENTITY
from portico_fakes.authz_service import ADA, CALLBACK, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

STRAIGHT = f"openid urn:portico:idp:id:{DIRECTORY.id}"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    authz = AuthzService(clock, bus)
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME, DIRECTORY)) for org in ("", "org-1", "org-2")}
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def test_ldap_button_opens_a_page(authz: AuthzService, browser: FakeBrowser) -> None:
    """The page has the LDAP provider's name and no buttons of other providers."""
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    again = await browser.ask(id)

    assert (page.name, page.external_name, page.leave_to, page.providers) == (
        StepName.LDAP,
        "Staff directory",
        "",
        (),
    )
    assert (again.name, again.external_name) == (page.name, page.external_name)
    assert authz.peers.providers.begun == []


async def test_linked_ldap_user_signs_in(authz: AuthzService, browser: FakeBrowser) -> None:
    """An LDAP identity completes the sign-in without adding a method to amr, and the handle changes (LG-11)."""
    id = await browser.begin(scope="openid urn:portico:org:id:org-1")
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    before = browser.handle
    done = await browser.answer(id, page, login_name=" ada ", password="right")
    [asked] = authz.peers.providers.entered
    code = Landing(await browser.get(done.continue_to)).query["code"]
    grant = (await authz.bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))).grant

    assert (asked.provider_id, asked.org_id, asked.login_name) == (DIRECTORY.id, "org-1", "ada")
    assert browser.handle != before
    assert grant is not None
    assert (grant.user_id, grant.amr, grant.acr) == (ADA.user_id, (), "urn:portico:acr:pwd")


async def test_typed_domain_selects_no_organization_of_the_account(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    page = await browser.answer(id, await browser.name(id, "mallory@other.test"), provider=DIRECTORY.id)
    await browser.answer(id, page, login_name="ada", password="right")
    [asked] = authz.peers.providers.entered

    assert (asked.org_id, asked.home_id) == ("org-2", "org-1")


@pytest.mark.parametrize(("name", "password"), [("ada", "wrong"), ("unknown", "right"), ("unknown", "wrong")])
async def test_wrong_password_and_unknown_name_look_the_same(browser: FakeBrowser, name: str, password: str) -> None:
    """The page is shown again with the entered name and sets no cookie (LG-01)."""
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    refused = await browser.answer(id, page, login_name=name, password=password)

    assert (refused.name, refused.problem, refused.login_name, refused.set_cookie) == (
        StepName.LDAP,
        Problem.WRONG_CREDENTIALS,
        name,
        "",
    )
    assert (await browser.answer(id, refused, login_name="ada", password="right")).name is StepName.DONE


@pytest.mark.parametrize(("name", "password"), [("ada", ""), ("", "right"), ("  ", "right")])
async def test_empty_password_is_not_sent(authz: AuthzService, browser: FakeBrowser, name: str, password: str) -> None:
    """Users is not called, because LDAP servers accept a bind without a password (RFC 4513 §5.1.2)."""
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    refused = await browser.answer(id, page, login_name=name, password=password)

    assert (refused.problem, authz.peers.providers.entered) == (Problem.WRONG_CREDENTIALS, [])


@pytest.mark.parametrize(
    ("password", "problem", "detail", "wait"),
    [("wait", Problem.SLOW_DOWN, "", 7), ("bad", Problem.EXTERNAL_FAILED, "TEST-050", 0)],
)
async def test_errors_of_users_are_shown(
    browser: FakeBrowser, password: str, problem: Problem, detail: str, wait: int
) -> None:
    """A delay is shown in seconds, a fault of the LDAP server with its id, and the page stays usable."""
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    refused = await browser.answer(id, page, login_name="ada", password=password)

    assert (refused.name, refused.problem, refused.detail, refused.retry_after) == (
        StepName.LDAP,
        problem,
        detail,
        wait,
    )


async def test_unavailable_ldap_server_can_be_retried(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    authz.peers.providers.unreachable = True
    away = await browser.answer_raw(id, page, login_name="ada", password="right")
    authz.peers.providers.unreachable = False
    done = await browser.answer(id, await browser.ask(id), login_name="ada", password="right")

    assert (away.status_code, done.name) == (503, StepName.DONE)


async def test_owner_proves_the_account_before_linking(authz: AuthzService, browser: FakeBrowser) -> None:
    """An offered account is linked after its own password was entered (IP-06)."""
    authz.peers.providers.find(ProviderRedirect.PROVE, ADA)
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    asked = await browser.answer(id, page, login_name="ada", password="right")
    done = await browser.answer(id, asked, password=PASSWORD)
    [link] = authz.peers.providers.linked

    assert (asked.name, asked.external_name, asked.set_cookie) == (StepName.PASSWORD, "Staff directory", "")
    assert (done.name, link.user_id, link.identity) == (StepName.DONE, ADA.user_id, IDENTITY)


@pytest.mark.parametrize(
    ("onward", "step"),
    [
        (ProviderRedirect.COMPLETE, StepName.COMPLETE_EXTERNAL),
        (ProviderRedirect.NO_ACCOUNT, StepName.EXTERNAL_NO_ACCOUNT),
    ],
)
async def test_ldap_identity_without_account_has_its_page(
    authz: AuthzService, browser: FakeBrowser, onward: ProviderRedirect, step: StepName
) -> None:
    authz.peers.providers.find(onward)
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)

    assert (await browser.answer(id, page, login_name="ada", password="right")).name is step


async def test_second_factor_follows_the_ldap_password(authz: AuthzService, browser: FakeBrowser) -> None:
    """An LDAP password is one factor, like a local one (LG-08)."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, authz.peers.people[ADA.user_id])
    id = await browser.begin()
    page = await browser.answer(id, await browser.ask(id), provider=DIRECTORY.id)
    factor = await browser.answer(id, page, login_name="ada", password="right")

    assert factor.name is StepName.TOTP
    assert (await browser.answer(id, factor, code="111111")).name is StepName.DONE


async def test_scope_selects_the_ldap_provider(browser: FakeBrowser) -> None:
    """The LDAP page comes first, and a restart shows the other pages."""
    id = await browser.begin(scope=STRAIGHT)
    first, again = await browser.ask(id), await browser.ask(id)
    over = await browser.answer(id, again, restart=True)

    assert (first.name, again.name) == (StepName.LDAP, StepName.LDAP)
    assert (over.name, (await browser.ask(id)).name) == (StepName.LOGIN_NAME, StepName.LOGIN_NAME)


async def test_unoffered_ldap_provider_opens_no_page(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.policies |= {org: LoginPolicy(providers=(ACME,)) for org in ("", "org-1", "org-2")}
    id = await browser.begin(scope=STRAIGHT)
    page = await browser.ask(id)

    assert page.name is StepName.LOGIN_NAME
    assert (await browser.answer(id, page, provider=DIRECTORY.id)).name is StepName.LOGIN_NAME


async def test_password_for_another_step_is_not_sent(authz: AuthzService, browser: FakeBrowser) -> None:
    """A submission counts only for the open step (LG-08)."""
    id = await browser.begin()
    page = await browser.ask(id)
    raw = await browser.answer_raw(id, page, step=StepName.LDAP, login_name="ada", password="right")

    assert raw.status_code == 200
    assert authz.peers.providers.entered == []
