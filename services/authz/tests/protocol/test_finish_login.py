"""Finishing an authorization request with a login session, and the browser that may use the result (decision 0107)."""

from __future__ import annotations

from dataclasses import replace as with_values
from typing import Any

import pytest
from msgspec.structs import replace
from portico_authz.domain.login_session import PROOF_SECONDS
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS
from portico_contracts import http
from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.login_sessions import GET_LOGIN_REQUEST, GetLoginRequest, LoginChallenges
from portico_contracts.users import GET_USER, Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, BOB, PASSWORD, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.login_client import LoginClient, begin_at
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError

IN_ORG_2 = "openid urn:portico:org:id:org-2"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus, zitadel_names=True, own_login_url="https://login.example.test")


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.fixture
def client(authz: AuthzService) -> LoginClient:
    return LoginClient(authz.bus)


async def refused(client: LoginClient, id: str, **fields: Any) -> str:
    """Returns the id of the error; the request stays open."""
    with pytest.raises(ServiceError) as error:
        await client.finish(id, **fields)
    assert (await client.bus.call(GET_LOGIN_REQUEST, GetLoginRequest(request_id=id))).request_id == id
    return error.value.id


async def signs_in(browser: FakeBrowser, address: str) -> bool:
    """Reports whether the browser gets a code."""
    leaving = await browser.get(address)
    if leaving.status_code != 303:
        return False
    return "code" in Landing(await browser.get(leaving.headers["location"])).query


async def sessions_of(bus: MemoryBus, user_id: str = ADA.user_id) -> int:
    return len((await bus.call(LIST_SESSIONS, ListSessions(user_id=user_id))).sessions)


async def test_another_login_client_cannot_finish(browser: FakeBrowser, client: LoginClient) -> None:
    id, session = await begin_at(browser), await client.with_password()

    assert await refused(with_values(session, actor="u-other-client"), id) == "AUTHZ-210"


async def test_only_the_latest_token_finishes(browser: FakeBrowser, client: LoginClient) -> None:
    id, first = await begin_at(browser), await client.with_password()
    latest = first.at(await first.changed())

    assert [await refused(first, id), await refused(latest, id, session_token="")] == ["AUTHZ-215", "AUTHZ-215"]
    assert await signs_in(browser, await latest.finish(id))


async def test_name_alone_does_not_finish(browser: FakeBrowser, client: LoginClient) -> None:
    id = await begin_at(browser)

    assert await refused(client.at(await client.checked(login_name="ada")), id) == "AUTHZ-214"


async def test_passkey_that_is_forbidden_meanwhile_does_not_finish(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, clock: FrozenClock
) -> None:
    """The policy of the organization counts when the request is finished, too."""
    authz.peers.factors.give(ADA.user_id, Factor.PASSKEY)
    id = await begin_at(browser)
    begun = await client.checked(login_name="ada", challenges=LoginChallenges(domain="id.example.test"))
    session = await client.at(begun).with_checks(credential=signed(begun.options, KEY_OF[ADA.user_id]))
    authz.peers.set_policy("org-1", factors=())
    clock.tick(2)

    assert await refused(session, id) == "AUTHZ-214"


async def test_old_first_factor_does_not_finish(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, clock: FrozenClock
) -> None:
    """However long the login session lives, and whatever else it has verified since."""
    session = await client.with_password()
    clock.tick(authz.settings.auth_request_seconds)
    id = await begin_at(browser)

    assert await refused(session, id) == "AUTHZ-216"
    assert await signs_in(browser, await (await session.with_checks(password=PASSWORD)).finish(id))


async def test_session_time_of_the_application_counts(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, clock: FrozenClock
) -> None:
    """Decision 0148: a password from before it does not count, as a session would not."""
    authz.peers.register("web", session_seconds=60)
    session = await client.with_password()
    clock.tick(61)
    id = await begin_at(browser)

    assert await refused(session, id) == "AUTHZ-216"
    assert await signs_in(browser, await (await session.with_checks(password=PASSWORD)).finish(id))


@pytest.mark.parametrize("demand", [{"prompt": "login"}, {"max_age": "20"}])
async def test_application_may_demand_a_recent_sign_in(
    browser: FakeBrowser, client: LoginClient, clock: FrozenClock, demand: dict[str, str]
) -> None:
    """A password before it is too old, as a session would be (OIDC Core section 3.1.2.1)."""
    session = await client.with_password()
    clock.tick(30)
    id = await begin_at(browser, **demand)
    assert await refused(session, id) == "AUTHZ-216"
    clock.tick(1)

    assert await signs_in(browser, await (await session.with_checks(password=PASSWORD)).finish(id))


async def test_recent_enough_password_finishes(browser: FakeBrowser, client: LoginClient, clock: FrozenClock) -> None:
    """The time of the password decides, not that of the request."""
    session = await client.with_password()
    clock.tick(30)

    assert await signs_in(browser, await session.finish(await begin_at(browser, max_age="60")))


async def test_earlier_second_factor_does_not_satisfy_a_demand(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, clock: FrozenClock
) -> None:
    """With prompt=login every factor is verified again; the code is requested on Portico's page."""
    authz.peers.factors.give(ADA.user_id, Factor.TOTP)
    session = await (await client.with_password()).with_checks(totp="111111")
    clock.tick(30)
    id = await begin_at(browser, prompt="login")
    clock.tick(1)
    leaving = await browser.get(await (await session.with_checks(password=PASSWORD)).finish(id))

    assert leaving.headers["location"] == f"{http.LOGIN}?request={id}"


async def test_changed_credentials_do_not_finish(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient
) -> None:
    """Such as a password that was reset by its owner between the check and the finish."""
    id, session = await begin_at(browser), await client.with_password()
    authz.peers.people[ADA.user_id] = replace(ADA, trust_epoch=1)

    assert await refused(session, id) == "AUTHZ-217"


async def test_inactive_user_does_not_finish(authz: AuthzService, browser: FakeBrowser, client: LoginClient) -> None:
    id, session = await begin_at(browser), await client.with_password()
    del authz.peers.people[ADA.user_id]

    assert await refused(session, id) == "AUTHZ-217"


async def test_other_user_than_the_requested_one_does_not_finish(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient
) -> None:
    """By id_token_hint, and by the organization in the scope."""
    hint = authz.peers.sign({"iss": "https://id.example.test", "sub": BOB.user_id, "azp": "web", "aud": ["web"]})
    session = await client.with_password()

    assert await refused(session, await begin_at(browser, id_token_hint=hint)) == "AUTHZ-218"
    assert await refused(session, await begin_at(browser, scope=IN_ORG_2)) == "AUTHZ-218"


async def test_answered_request_cannot_be_finished(browser: FakeBrowser, client: LoginClient) -> None:
    id, session = await begin_at(browser), await client.with_password()
    assert await signs_in(browser, await session.finish(id))

    for finish in (session.finish(id), session.finish(id, denied=True), session.finish("7f-unknown")):
        with pytest.raises(ServiceError, match="AUTHZ-030"):
            await finish
    with pytest.raises(ServiceError, match="AUTHZ-030"):
        await client.bus.call(GET_LOGIN_REQUEST, GetLoginRequest(request_id=id))


async def test_denied_request_cannot_be_finished(browser: FakeBrowser, client: LoginClient) -> None:
    id, session = await begin_at(browser), await client.with_password()
    await client.finish(id, denied=True)

    with pytest.raises(ServiceError, match="AUTHZ-030"):
        await session.finish(id)


async def test_victim_with_the_address_of_an_attacker_is_not_signed_in(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    """Login CSRF: an attacker finishes a request with their account, and sends the address to another browser."""
    address = await (await client.with_password()).finish(await begin_at(browser))
    victim = authz.browser()
    await begin_at(victim)
    before = victim.handle
    response = await victim.get(address)

    assert (response.status_code, victim.handle, await sessions_of(bus)) == (403, before, 0)
    assert "location" not in response.headers
    # The proof is deleted: it is known outside of its browser.
    assert not await signs_in(browser, address)


async def test_browser_of_an_attacker_does_not_get_the_sign_in_of_a_victim(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus
) -> None:
    """Session fixation: an attacker begins the request, and a victim who follows the link to the login page signs in."""
    id = await begin_at(browser)
    address = await (await client.with_password()).finish(id)
    victim = authz.browser()
    response = await victim.get(address)

    assert (response.status_code, victim.handle) == (403, "")
    assert not await signs_in(browser, address)
    resumed = await browser.get(f"{http.AUTHORIZE_RESUME}?request={id}")
    assert resumed.headers["location"] == f"https://login.example.test/login?authRequest={id}"
    assert await sessions_of(bus) == 0


@pytest.mark.parametrize("proof", ["7fAAAAAAAAAAAAAAAAAAAAAA", "x"])
async def test_cookie_without_the_proof_is_not_enough(browser: FakeBrowser, proof: str, client: LoginClient) -> None:
    id = await begin_at(browser)
    await (await client.with_password()).finish(id)

    assert not await signs_in(browser, f"{http.AUTHORIZE_RESUME}?request={id}&proof={proof}")


async def test_proof_is_of_one_request(browser: FakeBrowser, client: LoginClient) -> None:
    """Even in the same browser, where one application could demand more than the other."""
    session, first = await client.with_password(), await begin_at(browser)
    second = await begin_at(browser, prompt="login")

    assert not await signs_in(browser, (await session.finish(first)).replace(first, second))


@pytest.mark.parametrize("further", [False, True])
async def test_proof_is_used_once(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus, further: bool
) -> None:
    """A proof is used up even while the request has no response, and no session because of a further step."""
    authz.peers.people[ADA.user_id] = replace(ADA, password_change_required=further)
    address = await (await client.with_password()).finish(await begin_at(browser))
    assert (await browser.get(address)).status_code == 303

    again = await browser.get(address)
    assert (again.status_code, await sessions_of(bus)) == (404, 0 if further else 1)


async def test_proof_expires(browser: FakeBrowser, client: LoginClient, clock: FrozenClock) -> None:
    address = await (await client.with_password()).finish(await begin_at(browser))
    clock.tick(PROOF_SECONDS)

    assert not await signs_in(browser, address)


@pytest.mark.parametrize("change", [{"trust_epoch": 1}, {"human": False}, None])
async def test_changed_user_is_not_signed_in(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient, bus: MemoryBus, change: dict[str, Any] | None
) -> None:
    """A change between the finish and the browser."""
    address = await (await client.with_password()).finish(await begin_at(browser))
    del authz.peers.people[ADA.user_id]
    if change:
        authz.peers.people[ADA.user_id] = replace(ADA, **change)
    response = await browser.get(address)

    assert (response.status_code, await sessions_of(bus)) == (400, 0)
    assert "AUTHZ-217" in response.text


async def test_ended_login_session_signs_in_no_browser(browser: FakeBrowser, client: LoginClient) -> None:
    session = await client.with_password()
    address = await session.finish(await begin_at(browser))
    assert await session.end()

    assert not await signs_in(browser, address)


async def test_lost_redirect_is_repeated(browser: FakeBrowser, client: LoginClient, bus: MemoryBus) -> None:
    """The browser with the earlier handle gets the same new one, and the response (LG-14)."""
    address = await (await client.with_password()).finish(await begin_at(browser))
    before = browser.handle
    await browser.get(address)
    rotated, browser.handle = browser.handle, before

    assert await signs_in(browser, address)
    assert (browser.handle, await sessions_of(bus)) == (rotated, 1)


@pytest.mark.parametrize("lost", ["time", "proof"])
async def test_earlier_handle_alone_is_not_enough(
    browser: FakeBrowser, client: LoginClient, clock: FrozenClock, lost: str
) -> None:
    """Only for some seconds, and only with the proof (LG-11)."""
    address = await (await client.with_password()).finish(await begin_at(browser))
    before = browser.handle
    await browser.get(address)
    browser.handle = before
    if lost == "time":
        clock.tick(RETRY_WINDOW_SECONDS)
    else:
        address = f"{address[:-4]}AAAA"

    assert (await browser.get(address)).status_code == 403


async def test_store_that_is_down_is_unavailable(
    authz: AuthzService, browser: FakeBrowser, client: LoginClient
) -> None:
    """The proof is not used up: the browser can reload the page."""
    address = await (await client.with_password()).finish(await begin_at(browser))
    authz.bus.silent.add(GET_USER.subject)
    assert (await browser.get(address)).status_code == 503
    authz.bus.silent.clear()

    assert await signs_in(browser, address)
