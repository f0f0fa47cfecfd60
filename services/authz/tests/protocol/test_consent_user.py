"""Consent and the approval of a device count for the user whom the page names (decisions 0092 and 0094)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import (
    BEGIN_DEVICE,
    END_SESSIONS,
    REDEEM_CODE,
    REDEEM_DEVICE,
    BeginDevice,
    EndSessions,
    RedeemCode,
    RedeemDevice,
)
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode, encode
from portico_contracts.users import Consent, LoginPolicy
from portico_fakes.authz_service import ADA, BOB, CALLBACK, LOGIN_KEY, AuthzService, FakeBrowser, Landing, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.grant_types import DEVICE_CODE


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.register("web", consent=Consent.ONCE)
    service.peers.register("tv", grant_types=(DEVICE_CODE,), redirect_uris=(), response_types=())
    service.peers.policies = dict.fromkeys(service.peers.policies, LoginPolicy(device_authorization=True))
    return service


@pytest.fixture
async def browser(authz: AuthzService) -> FakeBrowser:
    return await authz.browser_signed_in_elsewhere()


async def sign_in_instead(authz: AuthzService, browser: FakeBrowser, login_name: str = "bob") -> None:
    """Ada's session ends, and another tab of the browser signs a user in."""
    await authz.bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))
    await browser.sign_in(login_name, client_id="other")


async def allow(browser: FakeBrowser, id: str, step: Any) -> Any:
    return await browser.answer(id, step, scopes=tuple(one.scope for one in step.scopes))


async def test_consent_counts_only_for_the_user_of_the_page(authz: AuthzService, browser: FakeBrowser) -> None:
    """The form of Ada's page shows Bob's page and allows nothing; the form of Bob's page allows it for him."""
    id = await browser.begin()
    of_ada = await browser.ask(id)
    await sign_in_instead(authz, browser)
    of_bob = await allow(browser, id, of_ada)
    stored = dict(authz.peers.consents)
    await allow(browser, id, of_bob)
    code = Landing(await browser.get(http.AUTHORIZE_RESUME, {"request": id})).query["code"]
    redeemed = await authz.bus.call(REDEEM_CODE, RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK))

    assert (of_ada.name, of_ada.login_name) == (StepName.CONSENT, "ada")
    assert (of_bob.name, of_bob.login_name) == (StepName.CONSENT, "bob")
    assert stored == {}
    assert authz.peers.consents == {(BOB.user_id, "web"): ("openid",)}
    assert redeemed.grant is not None
    assert redeemed.grant.user_id == BOB.user_id


async def test_device_is_approved_only_for_the_user_of_the_page(authz: AuthzService, browser: FakeBrowser) -> None:
    begun = await authz.bus.call(BEGIN_DEVICE, BeginDevice(client_id="tv", scope="openid", address="198.51.100.7"))
    message = OpenDevice(browser=browser.handle, user_code=begun.user_code, address="203.0.113.9", agent="Firefox")
    headers = {"Authorization": f"Bearer {LOGIN_KEY}"}
    response = await browser.http.post(http.DEVICE_API, content=encode(message), headers=headers)
    id = request_in(await browser.get(decode(response.content, DeviceOpened).continue_to))
    of_ada = await browser.ask(id)
    await sign_in_instead(authz, browser)
    of_bob = await allow(browser, id, of_ada)
    redemption = RedeemDevice(client_id="tv", device_code=begun.device_code)
    with pytest.raises(ServiceError) as pending:
        await authz.bus.call(REDEEM_DEVICE, redemption)
    await browser.get((await allow(browser, id, of_bob)).continue_to)

    assert (of_ada.login_name, of_bob.login_name) == ("ada", "bob")
    assert of_bob.device is not None
    assert pending.value.kind is Kind.AUTHORIZATION_PENDING
    assert (await authz.bus.call(REDEEM_DEVICE, redemption)).grant.user_id == BOB.user_id


async def test_form_that_names_no_user_shows_the_page_again(authz: AuthzService, browser: FakeBrowser) -> None:
    """A page that was opened before an update has such a form, and the form of the next page is accepted."""
    id = await browser.begin()
    shown = await browser.ask(id)
    again = await allow(browser, id, replace(shown, csrf=shown.csrf.partition(".")[0]))
    stored = dict(authz.peers.consents)
    done = await allow(browser, id, again)

    assert (again.name, stored, done.name) == (StepName.CONSENT, {}, StepName.DONE)


async def test_page_stays_valid_in_a_new_session_of_its_user(authz: AuthzService, browser: FakeBrowser) -> None:
    id = await browser.begin()
    shown = await browser.ask(id)
    await sign_in_instead(authz, browser, "ada")

    assert (await allow(browser, id, shown)).name is StepName.DONE
    assert authz.peers.consents == {(ADA.user_id, "web"): ("openid",)}


async def test_csrf_value_of_the_page_reveals_no_id_and_is_of_one_browser(authz: AuthzService) -> None:
    """Two browsers of the same user get different references."""
    forms = []
    for browser in (authz.browser(), authz.browser()):
        await browser.sign_in(client_id="other")
        forms.append((await browser.ask(await browser.begin())).csrf)
    references = {form.partition(".")[2] for form in forms}

    assert len(references) == 2
    assert not any(ADA.user_id in form for form in forms)
