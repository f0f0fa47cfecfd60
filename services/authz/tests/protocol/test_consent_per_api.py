"""Consent for a scope is for one API: another API may have a scope of the same name (decision 0110)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_contracts import http
from portico_contracts.events import APP_CHANGED, Changed
from portico_contracts.step_names import StepName
from portico_contracts.users import Api, ApiScope, Consent
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser, Landing, authorize_parameters, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.device_sign_in import asked, authz_for_devices, begin
from portico_fakes.memory_bus import MemoryBus
from portico_harness.rows import row
from portico_oauth.grant_types import DEVICE_CODE

PLACE = (ADA.user_id, "web")
ONE, TWO = "https://one.example", "https://two.example"
API_1, API_2 = Api("api-1", (ONE,), ("read", "write")), Api("api-2", (TWO,), ("read", "write"))
READ_1, READ_2 = ApiScope("api-1", "read"), ApiScope("api-2", "read")
WRITE_2 = ApiScope("api-2", "write")
AT_1, AT_2 = ApiScope("api-1", ONE), ApiScope("api-2", TWO)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.register("web", consent=Consent.ONCE)
    service.peers.apis["web"] = (API_1, API_2)
    return service


@pytest.fixture
async def browser(authz: AuthzService) -> FakeBrowser:
    return await authz.browser_signed_in_elsewhere()


async def send(browser: FakeBrowser, *resources: str, **parameters: str) -> httpx.Response:
    sent = authorize_parameters(**parameters).items()
    return await browser.get(http.AUTHORIZE, [*sent, *(("resource", one) for one in resources)])


async def silent(browser: FakeBrowser, scope: str, *resources: str) -> str:
    landing = Landing(await send(browser, *resources, scope=scope, prompt="none"))
    return "code" if "code" in landing.query else landing.query["error"]


async def allow(browser: FakeBrowser, id: str, step: Any) -> Any:
    return await browser.answer(id, step, scopes=tuple(one.scope for one in step.scopes))


def lines(step: Any) -> list[tuple[str, str, bool]]:
    return [(one.scope, one.api, one.allowed) for one in step.scopes]


async def registered_later(authz: AuthzService, *apis: Api) -> None:
    authz.peers.apis["web"] = apis
    changed = Changed(event_id="1", aggregate_id="app", org_id="org-1", sequence=2, at=1.0, actor="system")
    await authz.bus.publish(APP_CHANGED, changed, event_id="1")


ALLOWED: tuple[tuple[tuple[str | ApiScope, ...], str, tuple[str, ...], str], ...] = (
    (("openid", READ_1, AT_1), "openid read", (ONE,), "code"),
    (("openid", READ_1, AT_1), "openid read", (TWO,), "consent_required"),
    (("openid", READ_1, AT_1), "openid read", (), "consent_required"),
    (("openid", READ_1, READ_2), "openid read", (), "code"),
    (("openid", READ_1, AT_1, WRITE_2, AT_2), "openid write", (ONE,), "consent_required"),
    (("openid", READ_1, AT_1, WRITE_2, AT_2), "openid read write", (ONE, TWO), "consent_required"),
    (("openid", READ_1), "openid", (ONE,), "consent_required"),
    (("openid",), "openid", (), "code"),
)


async def test_scope_is_allowed_at_the_api_that_the_page_showed(authz: AuthzService, browser: FakeBrowser) -> None:
    """A request without resource needs the scope at every API that it reaches."""
    for allowed, scope, resources, expected in ALLOWED:
        with row(allowed, scope, resources):
            authz.peers.consents[PLACE] = allowed
            browser = authz.browser()
            await browser.sign_in(client_id="other")
            assert await silent(browser, scope, *resources) == expected


async def test_page_shows_a_scope_once_for_each_api(authz: AuthzService, browser: FakeBrowser) -> None:
    """The list of the page is stored."""
    authz.peers.consents[PLACE] = ("openid", READ_2)
    id = request_in(await send(browser, scope="openid read"))
    step = await browser.ask(id)
    done = await allow(browser, id, step)

    assert lines(step) == [("openid", "", True), ("read", "api-1", False), ("read", "api-2", True)]
    assert done.name is StepName.DONE
    assert {*authz.peers.consents[PLACE]} == {"openid", READ_1, READ_2}


async def test_page_that_showed_fewer_apis_is_shown_again(authz: AuthzService, browser: FakeBrowser) -> None:
    """An API that registers the scope while the page is open was not on it, and gets nothing."""
    await registered_later(authz, API_1)
    id = request_in(await send(browser, scope="openid read"))
    step = await browser.ask(id)
    await registered_later(authz, API_1, API_2)
    again = await allow(browser, id, step)

    assert lines(again) == [("openid", "", False), ("read", "api-1", False), ("read", "api-2", False)]
    assert PLACE not in authz.peers.consents


async def test_scope_that_an_api_registers_after_the_page_is_asked_for(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """Neither the stored consent nor that of the request allows it."""
    await registered_later(authz, API_1)
    id = request_in(await send(browser, scope="openid read"))
    await allow(browser, id, await browser.ask(id))
    await registered_later(authz, API_1, API_2)
    resumed = await browser.get(http.AUTHORIZE_RESUME, {"request": id})

    assert request_in(resumed) == id
    assert await silent(browser, "openid read") == "consent_required"


async def test_consent_of_an_older_release_allows_no_scope_of_an_api(authz: AuthzService, browser: FakeBrowser) -> None:
    """Such a consent does not name the API, so the user is asked again, for these scopes only."""
    authz.peers.consents[PLACE] = ("openid", "email", "read", ONE)
    id = request_in(await send(browser, ONE, scope="openid email read"))

    assert await silent(browser, "openid email") == "code"
    assert lines(await browser.ask(id)) == [
        ("openid", "", True),
        ("email", "", True),
        ("read", "api-1", False),
        (ONE, "api-1", False),
    ]


async def test_device_is_allowed_what_its_page_showed(clock: FrozenClock, bus: MemoryBus) -> None:
    authz = authz_for_devices(clock, bus)
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), consent=Consent.ONCE)
    authz.peers.apis["tv"] = (API_1, API_2)
    browser = authz.browser()
    id, step = await asked(browser, (await begin(bus, "openid read")).user_code)
    await allow(browser, id, step)

    assert lines(step) == [("openid", "", False), ("read", "api-1", False), ("read", "api-2", False)]
    assert authz.peers.consents == {(ADA.user_id, "tv"): ("openid", READ_1, READ_2)}
