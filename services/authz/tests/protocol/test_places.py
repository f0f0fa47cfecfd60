"""From where users sign in and use their sessions (decision 0145), on every way to a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from portico_contracts import events, http
from portico_contracts.step_names import StepName
from portico_contracts.users import (
    ELSEWHERE,
    Factor,
    LoginPolicy,
    PlaceAction,
    PlaceRule,
    ProviderRedirect,
    SignInFrom,
)
from portico_fakes.authz_external import ACME
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.country_database import DUTCH_ADDRESS, write_country_database
from portico_fakes.device_sign_in import begin as begin_on_device
from portico_fakes.device_sign_in import enter
from portico_fakes.login_client import LoginClient, begin_at
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.trusted_browser import trust_device
from portico_oauth.grant_types import DEVICE_CODE

OFFICE, AWAY = "203.0.113.9", "192.0.2.1"
OFFICE_ONLY = SignInFrom(
    rules=(PlaceRule(action=PlaceAction.ALLOW, networks=("203.0.113.0/24",)),), elsewhere=PlaceAction.REFUSE
)
FACTOR_AWAY = SignInFrom(rules=OFFICE_ONLY.rules, elsewhere=PlaceAction.SECOND_FACTOR)
REFUSED = "AUTHZ-281"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus, tmp_path: Path, request: pytest.FixtureRequest) -> AuthzService:
    own: dict[str, Any] = {"zitadel_names": True, "own_login_url": "https://login.example.test"}
    own = own if "own_pages" in request.fixturenames else {}
    authz = AuthzService(clock, bus, geo_database=str(write_country_database(tmp_path)), **own)
    authz.peers.register("tv", grant_types=(DEVICE_CODE, "refresh_token"), redirect_uris=(), response_types=())
    authz.peers.factors.give(ADA.user_id)
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, ADA)
    return authz


@pytest.fixture
def own_pages() -> None:
    """The login pages are not Portico's."""


def restrict(authz: AuthzService, rules: SignInFrom | None = OFFICE_ONLY, **fields: Any) -> None:
    policy = LoginPolicy(
        sign_in_from=rules, providers=(ACME,), email_code_sign_in=True, device_authorization=True, **fields
    )
    authz.peers.policies = dict.fromkeys(authz.peers.policies, policy)


def browser_at(authz: AuthzService, address: str) -> FakeBrowser:
    browser = authz.browser()
    browser.move_to(address)
    return browser


async def by_password(browser: FakeBrowser, authz: AuthzService, id: str) -> Any:
    return await browser.answer_raw(id, await browser.name(id), password=PASSWORD)


async def by_passkey(browser: FakeBrowser, authz: AuthzService, id: str) -> Any:
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    shown = await browser.answer(id, await browser.ask(id), passkey=True)
    return await browser.answer_raw(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))


async def by_emailed_code(browser: FakeBrowser, authz: AuthzService, id: str) -> Any:
    shown = await browser.answer(id, await browser.name(id), email_code=True)
    return await browser.answer_raw(id, shown, code=authz.peers.email_codes.newest)


async def by_provider(browser: FakeBrowser, authz: AuthzService, id: str) -> Any:
    state = await browser.leave(id, ACME.id)
    return await browser.come_back_raw(provider_id=ACME.id, parameters={"state": state, "code": "right"})


WAYS = (by_password, by_passkey, by_emailed_code, by_provider)


def error_of(answer: Any) -> str:
    return str(answer.json().get("details", [{}])[0].get("id", "")) if answer.status_code != 200 else ""


async def silent(browser: FakeBrowser, **parameters: str) -> str:
    query = Landing(await browser.authorize(prompt="none", **parameters)).query
    return query.get("error") or ("code" if "code" in query else "")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("address", "error"), [(OFFICE, ""), (AWAY, REFUSED)])
async def test_every_first_factor_obeys(authz: AuthzService, way: Any, address: str, error: str) -> None:
    """The place counts when the factor is verified; a refusal leaves no session."""
    restrict(authz)
    browser = browser_at(authz, address)
    answer = await way(browser, authz, await browser.begin())

    assert error_of(answer) == error
    if error:
        assert await silent(browser) == "login_required"


async def test_place_of_the_verification_counts(authz: AuthzService) -> None:
    """Not that of the beginning: another network cannot lend its address."""
    restrict(authz)
    browser = browser_at(authz, OFFICE)
    id = await browser.begin()
    shown = await browser.name(id)
    browser.move_to(AWAY)

    assert error_of(await browser.answer_raw(id, shown, password=PASSWORD)) == REFUSED


async def test_refusal_names_its_rule(authz: AuthzService, bus: MemoryBus) -> None:
    """In the event, for administrators; a wrong password gets the answer of a wrong password everywhere."""
    rule = PlaceRule(action=PlaceAction.REFUSE, networks=("192.0.2.0/24",))
    restrict(authz, SignInFrom(rules=(rule,)))
    browser = browser_at(authz, AWAY)
    id = await browser.begin()
    wrong = await browser.answer(id, await browser.name(id), password="wrong")
    await browser.answer_raw(id, wrong, password=PASSWORD)
    await authz.publisher.settle()
    failed = [body for subject, body in bus.published if subject == events.LOGIN_FAILED.subject]

    assert wrong.name is StepName.PASSWORD
    assert [(one.failure, one.rule) for one in failed] == [("wrong_password", ""), ("place", "192.0.2.0/24")]


async def test_country_decides_in_order_of_the_rules(authz: AuthzService, clock: FrozenClock) -> None:
    """The first rule that names the network or the country; a place without a country is elsewhere."""
    dutch = PlaceRule(action=PlaceAction.ALLOW, countries=("NL",))
    site = PlaceRule(action=PlaceAction.REFUSE, networks=("198.51.100.0/24",))
    seen = []
    for rules in ((dutch,), (dutch, site), (site, dutch)):
        restrict(authz, SignInFrom(rules=rules, elsewhere=PlaceAction.REFUSE))
        clock.tick(5)  # the cached policies expire
        browser = browser_at(authz, DUTCH_ADDRESS)
        seen.append(error_of(await by_password(browser, authz, await browser.begin())))
    elsewhere = browser_at(authz, "10.1.2.3")

    assert seen == ["", "", REFUSED]
    assert error_of(await by_password(elsewhere, authz, await elsewhere.begin())) == REFUSED


async def test_session_does_not_count_in_a_refused_place(authz: AuthzService) -> None:
    """At the authorization endpoint, and where a request continues; at the first place it goes on."""
    restrict(authz)
    browser = browser_at(authz, OFFICE)
    await browser.sign_in()
    browser.move_to(AWAY)
    away, page = await silent(browser), await browser.ask(await browser.begin())
    browser.move_to(OFFICE)

    assert (away, page.name) == ("login_required", StepName.LOGIN_NAME)
    assert await silent(browser) == "code"


async def test_response_needs_the_place_too(authz: AuthzService) -> None:
    """The cookie alone gets no code elsewhere after the sign-in."""
    restrict(authz)
    browser = browser_at(authz, OFFICE)
    done = await browser.log_in(await browser.begin())
    browser.move_to(AWAY)
    response = await browser.get(done.continue_to)

    assert response.headers["location"].startswith(http.LOGIN)


async def test_second_factor_is_required_elsewhere(authz: AuthzService, clock: FrozenClock) -> None:
    """Of users who have one, and of those who have to register one; the office needs none."""
    restrict(authz, FACTOR_AWAY)
    office, away = browser_at(authz, OFFICE), browser_at(authz, AWAY)
    done, shown = [await one.log_in(await one.begin()) for one in (office, away)]
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(5)
    id = await away.begin()
    code = await away.log_in(id)
    signed_in = await away.answer(id, code, code="111111")

    assert done.name is StepName.DONE
    assert shown.name not in (StepName.DONE, StepName.PASSWORD)
    assert (code.name, signed_in.name) == (StepName.TOTP, StepName.DONE)
    assert "code" in Landing(await away.get(signed_in.continue_to)).query


async def test_session_of_the_office_needs_a_second_factor_elsewhere(authz: AuthzService) -> None:
    restrict(authz, FACTOR_AWAY)
    browser = browser_at(authz, OFFICE)
    await browser.sign_in()
    browser.move_to(AWAY)

    assert await silent(browser) == "interaction_required"


async def test_trusted_browser_does_not_replace_it(authz: AuthzService, clock: FrozenClock) -> None:
    restrict(authz, FACTOR_AWAY, trusted_device_days=30)
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    browser = browser_at(authz, OFFICE)
    await trust_device(browser)
    clock.tick(2 * 86_400)
    office = (await browser.log_in(await browser.begin())).name
    clock.tick(2 * 86_400)
    browser.move_to(AWAY)

    assert office is StepName.DONE
    assert (await browser.log_in(await browser.begin())).name is StepName.TOTP


@pytest.mark.usefixtures("own_pages")
@pytest.mark.parametrize(("address", "is_refused"), [(OFFICE, False), (AWAY, True)])
async def test_own_login_pages_obey(authz: AuthzService, address: str, is_refused: bool) -> None:
    """The login client has no place: that of the browser counts when it takes the sign-in."""
    restrict(authz)
    browser = browser_at(authz, address)
    id, client = await begin_at(browser), LoginClient(authz.bus)
    leaving = await browser.get(await (await client.with_password()).finish(id))

    assert (REFUSED in leaving.text) is is_refused
    assert leaving.status_code == (403 if is_refused else 303)


async def test_device_is_not_approved_in_a_refused_place(authz: AuthzService) -> None:
    restrict(authz)
    browser = browser_at(authz, AWAY)
    begun = await begin_on_device(authz.bus)
    opened = await enter(browser, begun.user_code, AWAY)
    id = (await browser.get(opened.continue_to)).headers["location"].partition("request=")[2]

    assert error_of(await by_password(browser, authz, id)) == REFUSED


async def test_exempt_owner_is_not_refused(authz: AuthzService) -> None:
    """Each sign-in that only the exemption allows is recorded, uses of the session are not."""
    restrict(authz)
    authz.peers.exemptions.owners.add(ADA.user_id)
    browser = browser_at(authz, AWAY)
    await browser.sign_in()
    before = [(one.is_sign_in, one.rule) for one in authz.peers.exemptions.asked]

    assert await silent(browser) == "code"
    assert before.count((True, ELSEWHERE)) == 1
    assert not authz.peers.exemptions.asked[-1].is_sign_in


async def test_without_rules_nothing_is_asked(authz: AuthzService, bus: MemoryBus) -> None:
    restrict(authz, None)
    await browser_at(authz, AWAY).sign_in()

    assert authz.peers.exemptions.asked == []
