from __future__ import annotations

from typing import Any

import pytest
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.login_steps.register import Registration
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import ADA, CALLBACK, RIGHT_CODE, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

EVE = Registration(email="eve@mail.test", first_name="Eve", last_name="Adams", password="a long enough one")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def registration(**changes: str) -> Registration:
    fields = {name: getattr(EVE, name) for name in ("email", "first_name", "last_name", "password")}
    return Registration(**{**fields, **changes})


async def register(browser: FakeBrowser, id: str, **changes: str) -> Any:
    return await browser.answer(id, await browser.ask(id), registration=registration(**changes))


async def test_prompt_create_registers_and_verifies(authz: AuthzService, browser: FakeBrowser, bus: MemoryBus) -> None:
    """The form is shown first, and the address is verified before the response (Initiating User Registration via
    OIDC 1.0).
    """
    id = await browser.begin(prompt="create")
    first = await browser.ask(id)
    verifying = await browser.answer(id, first, registration=EVE, languages=("fr",), address="203.0.113.7")
    assert (first.name, first.may_register) == (StepName.REGISTER, True)
    assert (verifying.name, verifying.mail) == (StepName.VERIFY_EMAIL, EVE.email)
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"].startswith(http.LOGIN)

    done = await browser.answer(id, verifying, code=RIGHT_CODE)
    code = Landing(await browser.get(done.continue_to)).query["code"]
    grant = (await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))).grant
    assert grant is not None
    assert (grant.user_id, grant.amr) == ("u-eve@mail.test", ("pwd",))
    [asked] = authz.peers.registered
    assert (asked.org_id, asked.languages, asked.password) == ("org-1", ("fr",), EVE.password)
    assert asked.sender == "203.0.113.7"


async def test_code_is_the_first_factor_without_a_password(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """Where the organization allows none, the page has no field for it (decision 0143)."""
    authz.peers.set_policy("org-1", password_sign_in=False, email_code_sign_in=True, passkey_sign_in=False)
    id = await browser.begin(prompt="create")
    first = await browser.ask(id)
    verifying = await register(browser, id, password="")
    done = await browser.answer(id, verifying, code=RIGHT_CODE)
    code = Landing(await browser.get(done.continue_to)).query["code"]
    grant = (await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))).grant

    assert (first.without_password, first.password_rules) == (True, None)
    assert grant is not None
    assert grant.amr == ("otp",)


async def test_prompt_create_ignores_a_session(browser: FakeBrowser) -> None:
    await browser.sign_in()

    assert (await browser.ask(await browser.begin(prompt="create"))).name is StepName.REGISTER


async def test_registered_address_gets_the_same_response(authz: AuthzService) -> None:
    """The page and its fields are the same, and no code of that email is accepted (LG-01)."""
    answers = []
    for email in ("new@mail.test", ADA.login_name):
        browser = authz.browser()
        id = await browser.begin(prompt="create")
        shown = await register(browser, id, email=email)
        wrong = await browser.answer(id, shown, code="000000")
        answers.append((shown.name, shown.problem, shown.mail == email, wrong.name, wrong.problem))
        opened = await browser.answer(id, wrong, code=RIGHT_CODE)
        assert (opened.name is StepName.DONE) == (email != ADA.login_name)

    assert answers[0] == answers[1]


async def test_taken_name_is_reported_after_the_code(authz: AuthzService, browser: FakeBrowser) -> None:
    """The error of users is shown after the right code, and nothing differs before (P9)."""
    id = await browser.begin(prompt="create")
    shown = await register(browser, id)
    authz.peers.taken.add(EVE.email)
    wrong = await browser.answer(id, shown, code="000000")
    taken = await browser.answer(id, wrong, code=RIGHT_CODE)

    assert (wrong.name, wrong.problem) == (StepName.VERIFY_EMAIL, Problem.WRONG_CODE)
    assert (taken.name, taken.problem, taken.detail) == (StepName.REGISTER, Problem.INVALID_FIELD, "TEST-040")
    assert (await register(browser, id, email="other@mail.test")).name is StepName.VERIFY_EMAIL


@pytest.mark.parametrize("missing", ["email", "first_name", "password"])
async def test_registration_field_is_required(authz: AuthzService, browser: FakeBrowser, missing: str) -> None:
    id = await browser.begin(prompt="create")
    shown = await register(browser, id, **{missing: "  "})
    bare = await browser.answer(id, shown)

    assert (shown.name, shown.problem, shown.detail) == (StepName.REGISTER, Problem.INVALID_FIELD, "LOGIN-006")
    assert (bare.problem, authz.peers.registered) == (Problem.INVALID_FIELD, [])


async def test_last_name_may_be_empty(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin(prompt="create")
    shown = await register(browser, id, last_name=" ")

    assert shown.name is StepName.VERIFY_EMAIL
    assert [one.last_name for one in authz.peers.registered] == [""]


async def test_errors_of_users_name_their_field(browser: FakeBrowser) -> None:
    id = await browser.begin(prompt="create")
    shown = await register(browser, id, email="not-a-mail")

    assert (shown.name, shown.problem, shown.detail) == (StepName.REGISTER, Problem.INVALID_FIELD, "TEST-012")
    assert (await register(browser, id)).name is StepName.VERIFY_EMAIL


async def test_frequent_registrations_get_a_delay(authz: AuthzService, browser: FakeBrowser) -> None:
    """Users counts registrations, and the page shows the delay (P8)."""
    id = await browser.begin(prompt="create")
    authz.peers.wait_seconds = 9
    shown = await register(browser, id)

    assert (shown.name, shown.problem, shown.retry_after) == (StepName.REGISTER, Problem.SLOW_DOWN, 9)


@pytest.mark.parametrize("field", ["email", "first_name", "last_name", "password"])
async def test_201_characters_are_refused_unread(authz: AuthzService, browser: FakeBrowser, field: str) -> None:
    """Longer texts than specified are rejected before they are sent to users (LG-15)."""
    id = await browser.begin(prompt="create")
    shown = await browser.ask(id)
    refused = await browser.answer_raw(id, shown, registration=registration(**{field: "x" * 201}))

    assert (refused.status_code, refused.json()["details"][0]["id"]) == (400, "LOGIN-002")
    assert authz.peers.registered == []


async def test_registration_is_offered_where_allowed(authz: AuthzService, browser: FakeBrowser) -> None:
    """The policy of the scope's organization decides, or the application's."""
    authz.peers.set_policy("org-2", may_register=False)
    free, closed = await browser.begin(), await browser.begin(scope="openid urn:portico:org:id:org-2")
    offered, without = await browser.ask(free), await browser.ask(closed)
    registering = await browser.answer(free, offered, register=True)
    refused = await browser.answer(closed, without, register=True)

    assert (offered.may_register, without.may_register) == (True, False)
    assert registering.name is StepName.REGISTER
    assert refused.name is StepName.LOGIN_NAME


async def test_prompt_create_without_permission_shows_login_name(authz: AuthzService, browser: FakeBrowser) -> None:
    """A forged form registers no user either."""
    authz.peers.set_policy("org-1", may_register=False)
    id = await browser.begin(prompt="create")
    shown = await browser.ask(id)
    crafted = await browser.answer(id, shown, step=StepName.REGISTER, registration=EVE)

    assert shown.name is crafted.name is StepName.LOGIN_NAME
    assert authz.peers.registered == []
    assert "code" in Landing(await browser.get((await browser.log_in(id)).continue_to)).query


async def test_unknown_organization_permits_no_registration(authz: AuthzService, browser: FakeBrowser) -> None:
    """An unknown organization is indistinguishable from one without registration (P9)."""
    shown = await browser.ask(await browser.begin(scope="openid urn:portico:org:id:nowhere", prompt="create"))

    assert (shown.name, shown.may_register) == (StepName.LOGIN_NAME, False)
    assert authz.peers.registered == []


async def test_account_is_created_in_the_scopes_organization(authz: AuthzService, browser: FakeBrowser) -> None:
    """The domain of an email address never selects the organization."""
    id = await browser.begin(scope="openid urn:portico:org:id:org-2", prompt="create")
    await browser.answer(id, await register(browser, id, email="eve@example.test"), code=RIGHT_CODE)

    assert authz.peers.registered[0].org_id == "org-2"


async def test_registration_can_be_abandoned(browser: FakeBrowser) -> None:
    id = await browser.begin(prompt="create")
    named = await browser.start_over(id)
    assert named.name is StepName.LOGIN_NAME

    again = await browser.answer(id, named, register=True)
    verifying = await browser.answer(id, again, registration=EVE)
    assert (await browser.answer(id, verifying, restart=True)).name is StepName.LOGIN_NAME
    assert "code" in Landing(await browser.get((await browser.log_in(id)).continue_to)).query


async def test_incomplete_registration_signs_no_user_in(browser: FakeBrowser) -> None:
    """The chosen password authenticates no user before the emailed code (LG-08)."""
    id = await browser.begin(prompt="create")
    shown = await register(browser, id)
    for step in (StepName.DONE, StepName.PASSWORD, StepName.REGISTER, StepName.SELECT_ACCOUNT):
        shown = await browser.answer(id, shown, step=step, password=EVE.password, registration=EVE)
        assert shown.name is StepName.VERIFY_EMAIL

    assert Landing(await browser.authorize(prompt="none")).query["error"] == "login_required"


async def test_another_registration_code_can_be_requested(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin(prompt="create")
    shown = await browser.answer(id, await register(browser, id), resend=True)
    [mailed] = authz.peers.mailed

    assert (mailed.user_id, bool(mailed.challenge)) == ("", True)
    assert (await browser.answer(id, shown, code=RIGHT_CODE)).name is StepName.DONE


async def test_login_name_domain_selects_the_organization(authz: AuthzService, browser: FakeBrowser) -> None:
    """The domain selects the policy and does not restrict the users."""
    id = await browser.begin()
    await browser.name(id, "bob@Example.TEST")
    stored = await authz.stores.requests.find(id)
    plain = await browser.begin()
    await browser.name(plain, "ada")
    other = await authz.stores.requests.find(plain)

    assert stored is not None
    assert other is not None
    assert (stored.progress.org_id, other.progress.org_id) == ("org-1", "")
    await browser.answer(id, await browser.ask(id), password="x")
    assert authz.peers.attempts[-1].org_id == ""
