"""The limits of what unauthenticated callers cause (decision 0127)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from portico_authz.domain.auth_request import MOST_OF_ADDRESS, AuthRequest
from portico_authz.domain.browser import Browser, HandleRotation
from portico_authz.domain.external import ExternalFlow
from portico_authz.domain.ports import Stores
from portico_authz.domain.progress import Progress
from portico_authz.domain.submission import new_submission
from portico_authz.store import keys, redis_stores
from portico_contracts.step_names import StepName
from portico_contracts.users import ProviderKind
from portico_fakes.authz_samples import browser_and_handle, opaque
from portico_harness.servers import RunningRedis
from portico_runtime.redis.client import RedisClient

Begun = tuple[Browser, str, AuthRequest]


@pytest.fixture
async def client(redis_server: RunningRedis) -> AsyncIterator[RedisClient]:
    client = RedisClient(redis_server.section("authz"), "authz")
    yield client
    await client.close()


def request_of(bucket: str, address: str) -> AuthRequest:
    return AuthRequest(opaque(bucket), "browser", {"client_id": "web"}, began=1_000.25, client_address=address)


def flow_of(address: str) -> ExternalFlow:
    places = ("request", "browser", "idp-1", "Acme", ProviderKind.JWT, "org-1", "https://id.example/cb")
    return ExternalFlow(*places, nonce="nonce", verifier="verifier", client_address=address)


async def begin(stores: Stores, address: str) -> Begun:
    """Stores what a request of a new browser causes."""
    browser, handle = browser_and_handle()
    request = request_of(browser.bucket, address)
    await asyncio.gather(
        stores.requests.create(request, 60, handle),
        stores.browsers.create(handle, browser, 60),
    )
    return browser, handle, request


def rotation_of(browser: Browser, handle: str, request: AuthRequest) -> HandleRotation:
    sent = new_submission(StepName.PASSWORD, opaque(), handle, secrets.token_bytes, 1_000.25)
    signed_in, address = browser.with_session("sid-1"), request.client_address
    return HandleRotation(
        handle, sent.next_handle(handle), signed_in, request.id, Progress(), sent, "sid-1", client_address=address
    )


@pytest.mark.servers
async def test_new_browsers_and_flows_of_one_address_are_limited(client: RedisClient) -> None:
    """Each counts as a request does, until it was used; what other addresses cause stays."""
    stores, address = redis_stores(client), opaque()
    flow, states = flow_of(address), [opaque(), opaque()]
    _, foreign, _ = await begin(stores, opaque())
    rotation = rotation_of(*await begin(stores, address))
    await stores.browsers.rotate_handle(rotation, 60)
    _, first, _ = await begin(stores, address)
    for state in states:
        await stores.external_flows.create(state, flow, 60)
    await stores.external_flows.claim(states[0], flow.browser_id, flow.provider_id)

    async def left() -> list[bool]:
        browsers = [await stores.browsers.find(handle) is not None for handle in (rotation.new, first, foreign)]
        return [*browsers, await stores.external_flows.find(states[1]) is not None]

    # One request of the browser that was rotated, two records of the first, one flow.
    for _ in range(MOST_OF_ADDRESS // 2 - 2):
        await begin(stores, address)
    full = await left()
    await begin(stores, address)
    await begin(stores, address)

    assert full == [True, True, True, True]
    assert await left() == [True, False, True, False]


@pytest.mark.servers
async def test_extended_browser_counts_as_a_new_one(client: RedisClient) -> None:
    """A later request of the browser extends its record and its place among the others."""
    stores = redis_stores(client)
    browser, handle, _ = await begin(stores, opaque())
    index, key = f"authz:{{{browser.bucket}}}:open", keys.browser(handle)
    before = await client.read("ZMSCORE", index, key, f"<{key}")
    await stores.browsers.extend(handle, 5_000)
    after = await client.read("ZMSCORE", index, key, f"<{key}")

    assert float(after[0]) - float(before[0]) > 4_900
    assert float(before[1]) < float(after[1]) < 0


async def test_open_requests_of_one_address_are_limited(authz_stores: Stores) -> None:
    """The oldest unauthenticated request is dropped, and answered requests do not count."""
    requests, address = authz_stores.requests, opaque()
    begun = [request_of(f"{at % 256:02x}", address) for at in range(MOST_OF_ADDRESS + 3)]
    foreign = request_of("7f", opaque())
    await requests.create(foreign, 60)
    for request in begun[:3]:
        await requests.create(request, 60)
    await requests.update(begun[0].id, progress=Progress(user_id="u-ada"))
    await requests.record_code(begun[2], "a", 60)
    await asyncio.gather(*(requests.create(request, 60) for request in begun[3:]))
    left = [await requests.find(request.id) is not None for request in (*begun[:4], begun[-1], foreign)]

    assert left == [True, False, True, True, True, True]


@pytest.mark.servers
async def test_signed_in_browser_is_not_limited(client: RedisClient) -> None:
    """The limits are for unauthenticated records: under load a sign-in may not be dropped."""
    stores, counted = redis_stores(client), []
    for sids in ((), ("sid-1",)):
        browser, handle = browser_and_handle()
        await stores.browsers.create(handle, replace(browser, session_ids=sids), 60)
        key = keys.browser(handle)
        counted.append(await client.read("ZSCORE", f"authz:{{{browser.bucket}}}:open", key) is not None)
    rotation = rotation_of(*await begin(stores, opaque()))
    await stores.browsers.rotate_handle(rotation, 60)
    answered = await stores.requests.find(rotation.request_id)
    assert answered is not None
    await stores.requests.record_code(answered, "a", 60)
    bucket = rotation.browser.bucket
    left = await client.read("ZRANGE", f"authz:{{{bucket}}}:open", 0, -1)

    assert counted == [True, False]
    assert not {keys.browser(rotation.old), keys.request(answered.id)} & set(left)
