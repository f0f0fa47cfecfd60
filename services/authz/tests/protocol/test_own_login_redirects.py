"""Which browsers are redirected to own login pages (PORTICO_OWN_LOGIN_URL, decision 0107)."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from portico_contracts import http
from portico_contracts.authz import BEGIN_DEVICE, BeginDevice
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_contracts.subjects import decode, encode
from portico_contracts.users import Consent, Factor, LoginPolicy
from portico_fakes.authz_service import ADA, LOGIN_KEY, AuthzService, FakeBrowser, request_in
from portico_fakes.clock import FrozenClock
from portico_fakes.login_client import LoginClient, begin_at, request_at
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import DEVICE_CODE

PAGES = "https://login.example.test/pages"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus, zitadel_names=True, own_login_url=f"{PAGES}/")


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


async def signed_in(authz: AuthzService, browser: FakeBrowser) -> None:
    session = await LoginClient(authz.bus).with_password()
    leaving = await browser.get(await session.finish(await begin_at(browser)))
    await browser.get(leaving.headers["location"])


async def place_of(browser: FakeBrowser, **parameters: str) -> str:
    """Returns the address of the redirect without the query."""
    return (await browser.authorize(**parameters)).headers["location"].partition("?")[0]


async def test_browser_that_has_to_sign_in_is_redirected(authz: AuthzService, browser: FakeBrowser) -> None:
    """The redirect has the id of the request, and the headers of every redirect."""
    response = await browser.authorize()
    id = request_at(response)

    assert response.headers["location"] == f"{PAGES}/login?authRequest={id}"
    assert (response.status_code, response.headers["cache-control"]) == (303, "no-store")
    assert await authz.stores.requests.find(id) is not None


@pytest.mark.parametrize("demand", [{"prompt": "login"}, {"max_age": "0"}, {"prompt": "select_account"}])
async def test_session_that_does_not_suffice_is_redirected(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock, demand: dict[str, str]
) -> None:
    await signed_in(authz, browser)
    clock.tick(1)

    assert await place_of(browser, **demand) == f"{PAGES}/login"


async def test_user_who_confirms_a_session_is_redirected(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """The name is known from the start, so nothing was answered yet."""
    await signed_in(authz, browser)
    clock.tick(1)
    hint = authz.peers.sign({"iss": "https://id.example.test", "sub": ADA.user_id, "azp": "web", "aud": ["web"]})

    assert await place_of(browser, prompt="login", id_token_hint=hint) == f"{PAGES}/login"


async def test_other_pages_are_those_of_portico(authz: AuthzService, browser: FakeBrowser, clock: FrozenClock) -> None:
    """Registrations, consent, a second factor for a session, and providers named by a scope."""
    assert await place_of(browser, prompt="create") == http.LOGIN
    assert await place_of(browser, scope="openid urn:portico:idp:id:unknown") == http.LOGIN
    await signed_in(authz, browser)
    authz.peers.register("asking", consent=Consent.ONCE)
    assert await place_of(browser, client_id="asking", scope="openid email") == http.LOGIN
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    clock.tick(2)

    assert await place_of(browser) == http.LOGIN


async def test_sign_in_on_the_pages_of_portico_stays_there(browser: FakeBrowser) -> None:
    """A sign-in belongs to these pages once a name was entered there."""
    id = await begin_at(browser)
    await browser.name(id)

    response = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert response.headers["location"] == f"{http.LOGIN}?request={id}"


async def test_request_of_another_browser_is_restarted_there(authz: AuthzService, browser: FakeBrowser) -> None:
    """A copy of the request, which has nothing of the first browser."""
    id, other = await begin_at(browser), authz.browser()
    restarted = await other.get(f"{http.AUTHORIZE_RESUME}?request={id}")

    assert request_at(restarted) != id
    assert urlsplit(restarted.headers["location"]).netloc == "login.example.test"


async def test_pages_of_portico_are_used_without_the_setting(clock: FrozenClock, bus: MemoryBus) -> None:
    assert await place_of(AuthzService(clock, bus).browser()) == http.LOGIN


async def test_device_is_approved_on_a_page_of_portico(
    authz: AuthzService, browser: FakeBrowser, bus: MemoryBus
) -> None:
    """Own login pages neither get its sign-in nor can finish it (RFC 8628)."""
    authz.peers.register("tv", grant_types=(DEVICE_CODE,), redirect_uris=(), response_types=())
    authz.peers.policies = dict.fromkeys(authz.peers.policies, LoginPolicy(device_authorization=True))
    begun = await bus.call(BEGIN_DEVICE, BeginDevice(client_id="tv", scope="openid", address="198.51.100.7"))
    message = OpenDevice(browser="-", user_code=begun.user_code, address="203.0.113.9", agent="Firefox")
    key = {"Authorization": f"Bearer {LOGIN_KEY}"}
    opened = decode(
        (await browser.http.post(http.DEVICE_API, content=encode(message), headers=key)).content, DeviceOpened
    )
    browser.handle = opened.set_cookie.partition("=")[2].partition(";")[0]
    id = request_in(await browser.get(opened.continue_to))

    with pytest.raises(ServiceError, match="AUTHZ-030"):
        await (await LoginClient(bus).with_password()).finish(id)
