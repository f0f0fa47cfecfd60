"""First factors of an organization (decision 0143): methods, rules, and ways to the page that verifies them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import PUSH_REQUEST, PushRequest
from portico_contracts.login import Problem
from portico_contracts.login_sessions import LoginChallenges
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, FirstFactor, LoginPolicy, ProviderRedirect
from portico_fakes.authz_external import ACME
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, PASSWORD, AuthzService, FakeBrowser, authorize_parameters, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.device_sign_in import begin as begin_on_device
from portico_fakes.device_sign_in import enter
from portico_fakes.login_client import LoginClient, begin_at
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import DEVICE_CODE

HOST: Final = "id.example.test"
Way = Callable[[AuthzService, FakeBrowser, FrozenClock], Awaitable[str]]
RULES: Final = (
    (FirstFactor.PASSWORD,),
    (FirstFactor.PASSKEY,),
    (FirstFactor.EMAIL_CODE,),
    (FirstFactor.PROVIDER,),
    tuple(FirstFactor),
)


def policy_of(rule: tuple[FirstFactor, ...], **fields: Any) -> LoginPolicy:
    return LoginPolicy(
        password_sign_in=FirstFactor.PASSWORD in rule,
        passkey_sign_in=FirstFactor.PASSKEY in rule,
        email_code_sign_in=FirstFactor.EMAIL_CODE in rule,
        providers=(ACME,) if FirstFactor.PROVIDER in rule else (),
        device_authorization=True,
        **fields,
    )


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus, request: pytest.FixtureRequest) -> AuthzService:
    own: dict[str, Any] = {"zitadel_names": True, "own_login_url": "https://login.example.test"}
    authz = AuthzService(
        clock, bus, pushed_authorization_requests=True, **(own if "own_pages" in request.fixturenames else {})
    )
    authz.peers.register("tv", grant_types=(DEVICE_CODE, "refresh_token"), redirect_uris=(), response_types=())
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.fixture
def own_pages() -> None:
    """The login pages are not Portico's."""


def restrict(authz: AuthzService, rule: tuple[FirstFactor, ...], **fields: Any) -> None:
    authz.peers.policies = dict.fromkeys(authz.peers.policies, policy_of(rule, **fields))


async def signed_in(browser: FakeBrowser, authz: AuthzService, clock: FrozenClock) -> None:
    """A session from before the rule; the cached policies expire."""
    rules = authz.peers.policies
    authz.peers.policies = dict.fromkeys(rules, LoginPolicy())
    shown = await browser.answer(id := await browser.begin(), await browser.ask(id), passkey=True)
    await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    clock.tick(10)
    authz.peers.policies = rules


async def typed(_authz: AuthzService, browser: FakeBrowser, _clock: FrozenClock) -> str:
    await browser.name(id := await browser.begin())
    return id


async def hinted(_authz: AuthzService, browser: FakeBrowser, _clock: FrozenClock) -> str:
    await browser.name(id := await browser.begin(login_hint="ada"))
    return id


async def scoped(_authz: AuthzService, browser: FakeBrowser, _clock: FrozenClock) -> str:
    """A provider that is not offered."""
    await browser.name(id := await browser.begin(scope="openid urn:portico:idp:id:other"))
    return id


async def selected(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> str:
    await signed_in(browser, authz, clock)
    page = await browser.ask(id := await browser.begin(prompt="select_account", max_age="1"))
    assert page.name is StepName.SELECT_ACCOUNT
    await browser.answer(id, page, account=page.accounts[0].id)
    return id


async def confirmed(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> str:
    """A re-authentication of the only session."""
    await signed_in(browser, authz, clock)
    page = await browser.ask(id := await browser.begin(prompt="login"))
    assert page.name is StepName.LOGIN_NAME
    await browser.name(id)
    return id


async def on_device(authz: AuthzService, browser: FakeBrowser, _clock: FrozenClock) -> str:
    begun = await begin_on_device(authz.bus)
    opened = await enter(browser, begun.user_code)
    await browser.name(id := request_in(await browser.get(opened.continue_to)))
    return id


async def pushed(authz: AuthzService, browser: FakeBrowser, _clock: FrozenClock) -> str:
    sent = authorize_parameters()
    request = PushRequest(client_id=sent["client_id"], parameters=sent, client_address="", repeated=())
    answer = await authz.bus.call(PUSH_REQUEST, request)
    parameters = {"client_id": sent["client_id"], "request_uri": answer.request_uri}
    await browser.name(id := request_in(await browser.get(http.AUTHORIZE, parameters)))
    return id


WAYS: Final[tuple[Way, ...]] = (typed, hinted, scoped, selected, confirmed, on_device, pushed)


async def passes(authz: AuthzService, browser: FakeBrowser, id: str, method: FirstFactor) -> bool:
    """Sends the form of the method, whether or not the page shows it; reports whether it was accepted."""
    shown = await browser.ask(id)
    assert shown.name is StepName.PASSWORD
    if method is FirstFactor.PASSWORD:
        done = await browser.answer(id, shown, password=PASSWORD)
    elif method is FirstFactor.PASSKEY:
        key = await browser.answer(id, shown, passkey=True)
        done = (
            await browser.answer(id, key, credential=signed(key.options, KEY_OF[ADA.user_id])) if key.options else key
        )
    elif method is FirstFactor.EMAIL_CODE:
        sent = await browser.answer(id, shown, email_code=True)
        is_sent = sent.name is StepName.EMAIL_CODE
        done = await browser.answer(id, sent, code=authz.peers.email_codes.newest) if is_sent else sent
    else:
        away = await browser.answer(id, shown, provider=ACME.id)
        if not away.leave_to:
            return False
        state = str(away.leave_to).split("state=")[1]
        done = (await browser.come_back(provider_id=ACME.id, parameters={"state": state, "code": "right"})).step
    return done.name is not StepName.PASSWORD


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rule", RULES, ids="+".join)
@pytest.mark.parametrize("method", FirstFactor)
async def test_only_allowed_methods_sign_in(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, method: FirstFactor, rule: tuple[FirstFactor, ...], way: Way
) -> None:  # fmt: skip
    """The same on every way to the page, also for forms that the page did not show."""
    restrict(authz, rule)
    id = await way(authz, browser, clock)

    assert await passes(authz, browser, id, method) is (method in rule)


@pytest.mark.parametrize("rule", RULES, ids="+".join)
async def test_page_offers_what_is_allowed(
    authz: AuthzService, browser: FakeBrowser, rule: tuple[FirstFactor, ...]
) -> None:
    """Every name gets the same page (LG-01)."""
    restrict(authz, rule)
    pages = []
    for name in ("ada", "nobody"):
        visitor = authz.browser()
        page = await visitor.name(await visitor.begin(), name)
        pages.append(replace(page, csrf="", login_name=""))
    page = pages[0]

    assert pages[0] == pages[1]
    assert page.without_password is (FirstFactor.PASSWORD not in rule)
    assert page.may_use_passkey is (FirstFactor.PASSKEY in rule)
    assert page.may_use_email_code is (FirstFactor.EMAIL_CODE in rule)
    assert page.providers == ((ACME,) if FirstFactor.PROVIDER in rule else ())


async def test_refused_password_is_like_a_wrong_one(authz: AuthzService, browser: FakeBrowser) -> None:
    """Both answers have the same bytes."""
    restrict(authz, (FirstFactor.PASSKEY,))
    answers = []
    for name, password in (("ada", PASSWORD), ("ada", "wrong"), ("nobody", PASSWORD)):
        visitor = authz.browser()
        id = await visitor.begin()
        answers.append(await visitor.answer(id, await visitor.name(id, name), password=password))

    assert {one.problem for one in answers} == {Problem.WRONG_CREDENTIALS}
    assert len({replace(one, csrf="", login_name="") for one in answers}) == 1


async def passes_on_own_pages(authz: AuthzService, browser: FakeBrowser, method: FirstFactor) -> bool | str:
    """Signs in with a login session; returns the id of the error of the step that is refused."""
    id, client = await begin_at(browser), LoginClient(authz.bus)
    try:
        if method is FirstFactor.PASSWORD:
            client = await client.with_password()
        else:
            asked = LoginChallenges(otp_email=method is FirstFactor.EMAIL_CODE)
            if method is FirstFactor.PASSKEY:
                asked = LoginChallenges(domain=HOST, user_verification=True)
            client = client.at(begun := await client.checked(login_name="ada", challenges=asked))
            if method is FirstFactor.PASSKEY:
                client = await client.with_checks(credential=signed(begun.options, KEY_OF[ADA.user_id]))
        return bool(await client.finish(id))
    except ServiceError as error:
        return error.id


@pytest.mark.usefixtures("own_pages")
@pytest.mark.parametrize("rule", RULES, ids="+".join)
@pytest.mark.parametrize(
    ("method", "refused"),
    [
        (FirstFactor.PASSWORD, "AUTHZ-212"),
        (FirstFactor.PASSKEY, "AUTHZ-214"),
        (FirstFactor.EMAIL_CODE, "AUTHZ-214"),
        (FirstFactor.PROVIDER, "AUTHZ-214"),
    ],
)
async def test_login_sessions_obey(
    authz: AuthzService, browser: FakeBrowser, method: FirstFactor, refused: str, rule: tuple[FirstFactor, ...]
) -> None:
    """The eighth way; a login session cannot begin with an emailed code or a provider under any rule."""
    restrict(authz, rule)
    can_begin = method in (FirstFactor.PASSWORD, FirstFactor.PASSKEY)

    assert await passes_on_own_pages(authz, browser, method) == (True if can_begin and method in rule else refused)


async def test_passkey_begun_before_the_rule_is_refused(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The rule counts when the passkey is verified, not when its page was shown."""
    restrict(authz, (FirstFactor.PASSKEY,))
    await browser.name(id := await browser.begin())
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    restrict(authz, (FirstFactor.PROVIDER,), factors=(Factor.PASSKEY,))
    clock.tick(5)
    refused = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert (refused.name, refused.problem) == (StepName.PASSKEY, Problem.WRONG_KEY)


async def test_session_from_before_the_rule_goes_on(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    restrict(authz, (FirstFactor.PROVIDER,))
    await signed_in(browser, authz, clock)

    assert "code" in str((await browser.authorize(prompt="none")).headers["location"])


@pytest.mark.usefixtures("own_pages")
async def test_password_verified_before_the_rule_finishes_no_request(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The rule at the end of a login session counts."""
    id, client = await begin_at(browser), await LoginClient(authz.bus).with_password()
    restrict(authz, (FirstFactor.PROVIDER,))
    clock.tick(5)

    with pytest.raises(ServiceError) as refused:
        await client.finish(id)
    assert refused.value.id == "AUTHZ-214"


async def test_owners_get_the_field_under_a_heading(authz: AuthzService, browser: FakeBrowser) -> None:
    restrict(authz, (FirstFactor.PASSKEY,), exempt_owners=True)
    page = await browser.name(await browser.begin())

    assert (page.without_password, page.for_owners) == (True, True)


async def test_due_change_of_an_unusable_password_is_not_requested(authz: AuthzService, browser: FakeBrowser) -> None:
    authz.peers.people[ADA.user_id] = replace(authz.peers.people[ADA.user_id], password_change_required=True)
    restrict(authz, (FirstFactor.PASSKEY,))
    await browser.name(id := await browser.begin())
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))

    assert done.name is StepName.DONE
