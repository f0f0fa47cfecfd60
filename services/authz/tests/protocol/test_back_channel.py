from __future__ import annotations

import json
from base64 import urlsafe_b64decode

import pytest
from portico_authz.domain.ended_session import MAX_ATTEMPTS
from portico_authz.logout.back_channel import NOTIFIED
from portico_contracts.authz import END_SESSIONS, EndSessions
from portico_contracts.token import SIGN_LOGOUT_TOKENS
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_harness.asgi_life import alive
from portico_harness.eventually import eventually
from portico_runtime.http_client.addresses import AddressNotAllowed
from portico_runtime.http_client.outbound_connection import NoResponse

SHOP, BLOG = "https://shop.example.test/bc", "https://blog.example.test/bc"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.register("web", back_channel_logout_uri=SHOP)
    service.peers.register("other", back_channel_logout_uri=BLOG)
    service.peers.register("quiet")
    return service


@pytest.fixture
async def browser(authz: AuthzService) -> FakeBrowser:
    """Ada is signed in and has used three applications."""
    browser = authz.browser()
    await browser.sign_in()
    await browser.authorize(client_id="other")
    await browser.authorize(client_id="quiet")
    return browser


async def end_all(authz: AuthzService) -> None:
    await authz.bus.call(END_SESSIONS, EndSessions(user_id=ADA.user_id))


async def run_after(authz: AuthzService, clock: FrozenClock, seconds: float = 0) -> None:
    clock.tick(seconds)
    await authz.back_channel.run_due()


def count_of(outcome: str) -> float:
    return float(NOTIFIED.labels(outcome)._value.get())


@pytest.mark.usefixtures("browser")
async def test_every_client_of_the_session_is_notified_once(authz: AuthzService, clock: FrozenClock) -> None:
    """A POST with only logout_token is sent to each client with a registered URI (Back-Channel Logout 1.0 §2.5)."""
    before = count_of("delivered")
    await end_all(authz)
    assert authz.posts.sent == []
    await run_after(authz, clock)
    await run_after(authz, clock, 3_600)

    assert sorted(url for url, _ in authz.posts.sent) == [BLOG, SHOP]
    assert all(set(form) == {"logout_token"} for _, form in authz.posts.sent)
    assert count_of("delivered") == before + 2
    [asked] = authz.peers.signed
    assert {(notice.client_id, notice.user_id) for notice in asked.notices} == {("web", "u-ada"), ("other", "u-ada")}
    for url, form in authz.posts.sent:
        body = form["logout_token"].split(".")[1]
        claims = json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        assert claims["aud"] == [{SHOP: "web", BLOG: "other"}[url]]


async def test_client_of_an_implicit_response_is_notified(authz: AuthzService, clock: FrozenClock) -> None:
    authz.peers.register(
        "spa", response_types=("id_token",), grant_types=("implicit",), back_channel_logout_uri="https://spa.test/bc"
    )
    await authz.browser().sign_in(client_id="spa", response_type="id_token", nonce="n")
    await end_all(authz)
    await run_after(authz, clock)

    assert [url for url, _ in authz.posts.sent] == ["https://spa.test/bc"]


async def test_client_of_another_session_is_not_notified(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    await authz.browser().sign_in("bob", client_id="other")
    await authz.bus.call(END_SESSIONS, EndSessions(user_id="u-bob"))
    await run_after(authz, clock)

    assert browser.handle
    assert [url for url, _ in authz.posts.sent] == [BLOG]


@pytest.mark.usefixtures("browser")
async def test_only_a_failed_notification_is_retried(authz: AuthzService, clock: FrozenClock) -> None:
    """Retries have growing delays and new tokens, and a notified client is not notified again."""
    authz.posts.statuses[SHOP] = 503
    await end_all(authz)
    await run_after(authz, clock)
    await run_after(authz, clock, 1.9)
    assert len(authz.posts.sent) == 2
    await run_after(authz, clock, 0.1)
    await run_after(authz, clock, 3.9)
    assert [url for url, _ in authz.posts.sent[2:]] == [SHOP]

    authz.posts.statuses[SHOP] = 204
    await run_after(authz, clock, 0.1)
    await run_after(authz, clock, 86_400)
    assert [url for url, _ in authz.posts.sent[2:]] == [SHOP, SHOP]
    assert [len(asked.notices) for asked in authz.peers.signed] == [2, 1, 1]


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize("status", [302, 400, 404, 500])
async def test_notification_stops_after_ten_attempts(authz: AuthzService, clock: FrozenClock, status: int) -> None:
    """A redirect counts as a failure."""
    before = count_of("given_up")
    authz.posts.statuses[SHOP] = status
    await end_all(authz)
    for _ in range(MAX_ATTEMPTS + 5):
        await run_after(authz, clock, 4_000)

    assert [url for url, _ in authz.posts.sent].count(SHOP) == MAX_ATTEMPTS
    assert count_of("given_up") == before + 1
    assert await authz.back_channel.run_due() == 0


@pytest.mark.usefixtures("browser")
async def test_forbidden_address_is_abandoned_at_once(authz: AuthzService, clock: FrozenClock) -> None:
    """A private address is not retried (IP-03)."""
    authz.posts.errors[SHOP] = AddressNotAllowed("the address is not public")
    await end_all(authz)
    for _ in range(3):
        await run_after(authz, clock, 4_000)

    assert [url for url, _ in authz.posts.sent].count(SHOP) == 1


@pytest.mark.usefixtures("browser")
async def test_timeout_is_retried(authz: AuthzService, clock: FrozenClock) -> None:
    authz.posts.errors[SHOP] = NoResponse("ConnectError")
    await end_all(authz)
    await run_after(authz, clock)
    authz.posts.errors.clear()
    await run_after(authz, clock, 2)

    assert [url for url, _ in authz.posts.sent].count(SHOP) == 2


@pytest.mark.usefixtures("browser")
async def test_without_token_the_notification_is_delayed(
    authz: AuthzService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """Without the service token no attempt is counted."""
    await end_all(authz)
    bus.silent.add(SIGN_LOGOUT_TOKENS.subject)
    for _ in range(MAX_ATTEMPTS + 5):
        await run_after(authz, clock, 2)
    assert authz.posts.sent == []

    bus.silent.clear()
    await run_after(authz, clock, 2)
    assert len(authz.posts.sent) == 2


@pytest.mark.usefixtures("browser")
async def test_another_replica_continues_after_a_minute(authz: AuthzService, clock: FrozenClock) -> None:
    await end_all(authz)
    claimed = await authz.stores.logout_queue.claim(clock.now(), clock.now() + 60, 10)
    second_bus = MemoryBus()
    second = AuthzService(clock, second_bus, authz.stores)
    second.peers.clients = authz.peers.clients
    await run_after(second, clock, 59)
    assert second.posts.sent == []

    await run_after(second, clock, 1)
    assert len(claimed) == 1
    assert sorted(url for url, _ in second.posts.sent) == [BLOG, SHOP]


@pytest.mark.usefixtures("browser")
async def test_deleted_client_is_not_notified(authz: AuthzService, clock: FrozenClock) -> None:
    del authz.peers.clients["web"]
    clock.tick(1)
    await end_all(authz)
    await run_after(authz, clock)

    assert [url for url, _ in authz.posts.sent] == [BLOG]


async def test_expired_session_notifies_no_client(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """An expired session leaves grants with a longer lifetime active."""
    await run_after(authz, clock, 86_400)

    assert browser.handle
    assert authz.posts.sent == []


@pytest.mark.usefixtures("browser")
async def test_end_of_a_session_wakes_the_worker(authz: AuthzService) -> None:
    async def sent() -> int:
        return len(authz.posts.sent)

    async with alive(authz.app):
        await end_all(authz)
        await eventually(sent, lambda count: count == 2)

    assert sorted(url for url, _ in authz.posts.sent) == [BLOG, SHOP]
