from __future__ import annotations

import pytest
from msgspec.structs import replace
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_fakes.authz_service import (
    ADA,
    BOB,
    CALLBACK,
    ISSUER,
    PASSWORD,
    AuthzService,
    FakeBrowser,
    Landing,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
async def browser(authz: AuthzService, clock: FrozenClock) -> FakeBrowser:
    """Ada signed in first, Bob ten minutes later."""
    browser = authz.browser()
    await browser.sign_in("ada")
    clock.tick(600)
    await browser.sign_in("bob", prompt="login")
    return browser


async def redeem(bus: MemoryBus, landing: Landing) -> CodeGrant:
    asked = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await bus.call(REDEEM_CODE, asked)).grant
    assert grant is not None
    return grant


async def landed(browser: FakeBrowser, path: str) -> Landing:
    return Landing(await browser.get(path))


async def test_account_choice_with_two_sessions(browser: FakeBrowser, bus: MemoryBus) -> None:
    """The end user chooses a session if several exist and prompt is omitted."""
    id = await browser.begin()
    shown = await browser.ask(id)
    done = await browser.answer(id, shown, account=shown.accounts[1].id)

    assert shown.name is StepName.SELECT_ACCOUNT
    assert [account.login_name for account in shown.accounts] == [BOB.user_name, ADA.user_name]
    assert all(account.signed_in for account in shown.accounts)
    assert done.name is StepName.DONE
    assert (await redeem(bus, await landed(browser, done.continue_to))).user_id == ADA.user_id


async def test_account_id_names_no_session(browser: FakeBrowser, authz: AuthzService) -> None:
    """The id of an account has no meaning outside its browser."""
    shown = await browser.ask(await browser.begin())
    record = await authz.stores.browsers.find(browser.handle)
    assert record is not None

    assert not {account.id for account in shown.accounts} & {*record.session_ids, ADA.user_id, BOB.user_id}


async def test_additional_account_keeps_other_sessions(browser: FakeBrowser, authz: AuthzService) -> None:
    authz.peers.people["u-eve"] = type(ADA)(
        user_id="u-eve", org_id="org-1", user_name="eve", login_name="eve@example.test", human=True
    )
    authz.peers.passwords["u-eve"] = PASSWORD
    id = await browser.begin()
    other = await browser.answer(id, await browser.ask(id), account="")
    named = await browser.answer(id, other, login_name="eve")
    done = await browser.answer(id, named, password=PASSWORD)

    assert other.name is StepName.LOGIN_NAME
    assert done.name is StepName.DONE
    assert len((await browser.ask(await browser.begin(prompt="select_account"))).accounts) == 3


async def test_unlisted_account_changes_nothing(browser: FakeBrowser) -> None:
    """An account id that was invented, or belongs to another browser, has no effect (P3)."""
    id = await browser.begin()
    shown = await browser.answer(id, await browser.ask(id), account="A" * 22)

    assert shown.name is StepName.SELECT_ACCOUNT
    assert len(shown.accounts) == 2


async def test_select_account_is_shown_for_one_session(authz: AuthzService) -> None:
    """With prompt=select_account the user chooses an existing session or creates one."""
    browser = authz.browser()
    await browser.sign_in()
    id = await browser.begin(prompt="select_account")
    shown = await browser.ask(id)
    done = await browser.answer(id, shown, account=shown.accounts[0].id)

    assert shown.name is StepName.SELECT_ACCOUNT
    assert "code" in (await landed(browser, done.continue_to)).query


async def test_select_account_without_session_shows_login_name(authz: AuthzService) -> None:
    browser = authz.browser()

    assert (await browser.ask(await browser.begin(prompt="select_account"))).name is StepName.LOGIN_NAME


async def test_account_older_than_max_age_needs_its_password(
    browser: FakeBrowser, bus: MemoryBus, clock: FrozenClock
) -> None:
    """The parameter max_age applies to each account separately, and the login name is prefilled (AZ-14)."""
    id = await browser.begin(max_age="300")
    shown = await browser.ask(id)
    ada = next(account for account in shown.accounts if account.login_name == ADA.user_name)
    named = await browser.answer(id, shown, account=ada.id)
    early = await browser.get(f"/oauth/v2/authorize/resume?request={id}")
    done = await browser.answer(id, named, password=PASSWORD)
    grant = await redeem(bus, await landed(browser, done.continue_to))

    assert [account.signed_in for account in shown.accounts] == [True, False]
    assert (named.name, named.login_name) == (StepName.PASSWORD, ADA.user_name)
    assert early.headers["location"].startswith("/ui/login")
    assert (grant.user_id, grant.auth_time) == (ADA.user_id, int(clock.now()))


async def test_renamed_account_needs_its_password(
    browser: FakeBrowser, authz: AuthzService, clock: FrozenClock
) -> None:
    """The password is verified for the current login name."""
    authz.peers.people[BOB.user_id] = replace(BOB, user_name="robert", login_name="robert@other.test")
    clock.tick(600)
    id = await browser.begin(max_age="60")
    shown = await browser.ask(id)
    page = await browser.answer(id, shown, account=shown.accounts[0].id)
    done = await browser.answer(id, page, password=PASSWORD)

    assert (page.login_name, done.name) == ("robert@other.test", StepName.DONE)


async def test_account_has_the_rules_of_its_organization(
    browser: FakeBrowser, authz: AuthzService, clock: FrozenClock
) -> None:
    """The page after the choice offers what the user's organization allows, not the application's."""
    authz.peers.set_policy(BOB.org_id, email_code_sign_in=True)
    clock.tick(600)
    offered = {}
    for index in range(2):
        id = await browser.begin(max_age="60")
        shown = await browser.ask(id)
        page = await browser.answer(id, shown, account=shown.accounts[index].id)
        offered[page.login_name] = page.may_use_email_code

    assert offered == {BOB.user_name: True, ADA.user_name: False}


async def test_prompt_login_with_account_choice_needs_a_password(browser: FakeBrowser) -> None:
    shown = await browser.ask(await browser.begin(prompt="login select_account"))

    assert shown.name is StepName.SELECT_ACCOUNT
    assert not any(account.signed_in for account in shown.accounts)


async def test_restart_returns_to_the_account_choice(browser: FakeBrowser) -> None:
    id = await browser.begin()
    other = await browser.answer(id, await browser.ask(id), account="")

    assert (await browser.answer(id, other, restart=True)).name is StepName.SELECT_ACCOUNT


async def test_chosen_session_ending_before_the_response(browser: FakeBrowser, authz: AuthzService) -> None:
    """A chosen session that ends before the response needs its password (P3)."""
    id = await browser.begin()
    shown = await browser.ask(id)
    done = await browser.answer(id, shown, account=shown.accounts[1].id)
    record = await authz.stores.browsers.find(browser.handle)
    assert record is not None
    await authz.stores.sessions.end(record.session_ids[1], 60)

    assert (await browser.get(done.continue_to)).headers["location"].startswith("/ui/login")
    asked = await browser.ask(id)
    assert (asked.name, asked.login_name) == (StepName.PASSWORD, ADA.user_name)


async def test_hint_selects_an_account(browser: FakeBrowser, authz: AuthzService, bus: MemoryBus) -> None:
    """With id_token_hint or login_hint, prompt=none succeeds among several accounts."""
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    for parameters in ({"id_token_hint": hint}, {"login_hint": "ADA@example.test"}):
        for prompt in ("none", None):
            landing = Landing(await browser.authorize(**parameters, prompt=prompt))
            assert (await redeem(bus, landing)).user_id == ADA.user_id


@pytest.mark.parametrize(
    "hint", ["ada", "ADA", "ada@example.test", "ADA@EXAMPLE.TEST", "ada@mail.test", "  ada@mail.test "]
)
@pytest.mark.parametrize("prompt", ["none", None])
async def test_login_hint_matches_every_kind_of_login_name(
    browser: FakeBrowser, bus: MemoryBus, hint: str, prompt: str | None
) -> None:
    """User name, qualified name and verified address select their account in any spelling."""
    landing = Landing(await browser.authorize(login_hint=hint, prompt=prompt))

    assert (await redeem(bus, landing)).user_id == ADA.user_id


@pytest.mark.parametrize("hint", ["ada", "ada@example.test", "ada@mail.test"])
async def test_account_selection_lists_the_hinted_account_first(browser: FakeBrowser, hint: str) -> None:
    shown = await browser.ask(await browser.begin(login_hint=hint, prompt="select_account"))

    assert [account.login_name for account in shown.accounts] == ["ada", "bob"]


@pytest.mark.parametrize("hint", ["ada", "ada@example.test", "ada@mail.test"])
async def test_hint_prefills_the_field_unchanged(authz: AuthzService, hint: str) -> None:
    """Without a session a hint is prefilled as sent, and submitting it signs in."""
    browser = authz.browser()
    shown = await browser.ask(await browser.begin(login_hint=hint))

    assert (shown.name, shown.login_name) == (StepName.LOGIN_NAME, hint)


@pytest.mark.parametrize("hint", ["nobody", "nobody@mail.test"])
async def test_hint_of_an_unknown_user_is_ignored(browser: FakeBrowser, hint: str) -> None:
    """With several accounts an unknown hint has the same effect as none (P9)."""
    assert Landing(await browser.authorize(login_hint=hint, prompt="none")).query["error"] == "interaction_required"


@pytest.mark.parametrize("hint", ["bob", "bob@example.test", "nobody", "nobody@mail.test"])
async def test_hint_of_another_user_shows_the_account_choice(authz: AuthzService, bus: MemoryBus, hint: str) -> None:
    """A hint of another user never selects the only session, and an unknown name is answered like a known one (P9)."""
    browser = authz.browser()
    await browser.sign_in("ada")
    none = Landing(await browser.authorize(login_hint=hint, prompt="none"))
    id = await browser.begin(login_hint=hint)
    shown = await browser.ask(id)
    other = await browser.answer(id, shown, account="")
    back = await browser.answer(id, other, restart=True)
    done = await browser.answer(id, back, account=back.accounts[0].id)

    assert none.query["error"] == "login_required"
    assert (shown.name, [account.login_name for account in shown.accounts]) == (
        StepName.SELECT_ACCOUNT,
        [ADA.user_name],
    )
    assert (other.name, other.login_name) == (StepName.LOGIN_NAME, hint)
    assert (await redeem(bus, await landed(browser, done.continue_to))).user_id == ADA.user_id


async def test_hint_of_another_user_selects_no_organization_account(browser: FakeBrowser) -> None:
    """The only account of the requested organization is not selected if the hint names another user."""
    asked = {"scope": "openid urn:portico:org:id:org-1", "login_hint": "bob"}
    none = Landing(await browser.authorize(**asked, prompt="none"))
    shown = await browser.ask(await browser.begin(**asked))

    assert none.query["error"] == "login_required"
    assert [account.login_name for account in shown.accounts] == [ADA.user_name]


async def test_id_token_hint_overrides_login_hint(authz: AuthzService, bus: MemoryBus) -> None:
    browser = authz.browser()
    await browser.sign_in("ada")
    hint = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    landing = Landing(await browser.authorize(login_hint="display name", id_token_hint=hint, prompt="none"))

    assert (await redeem(bus, landing)).user_id == ADA.user_id


async def test_prompt_none_without_hint_is_interaction_required(browser: FakeBrowser) -> None:
    assert Landing(await browser.authorize(prompt="none")).query["error"] == "interaction_required"


async def test_login_name_of_a_session_is_prefilled(authz: AuthzService, clock: FrozenClock) -> None:
    browser = authz.browser()
    await browser.sign_in()
    clock.tick(100)
    shown = await browser.ask(await browser.begin(max_age="10"))

    assert (shown.name, shown.login_name, shown.problem) == (StepName.LOGIN_NAME, ADA.user_name, Problem.NONE)


async def test_organization_scope_hides_other_accounts(browser: FakeBrowser, bus: MemoryBus) -> None:
    """Only accounts of the organization can be chosen, and a single one is selected without a page."""
    landing = Landing(await browser.authorize(scope="openid urn:portico:org:id:org-1"))

    assert (await redeem(bus, landing)).user_id == ADA.user_id
