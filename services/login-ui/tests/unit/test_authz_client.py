from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest
from portico_contracts.context import REQUEST_ID, TRACE_PARENT
from portico_contracts.http import ACCOUNTS_API, DISCOVERY
from portico_contracts.login import GetStep
from portico_contracts.login_calls import ANSWER_STEP, ASK_STEP
from portico_contracts.login_steps.password import PasswordAnswer
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import BROWSER, KEY, REQUEST, FakeLoginApi
from portico_fakes.login_messages import answer_of
from portico_fakes.over_httpx import OverHttpx
from portico_harness.eventually import HANGS
from portico_login_ui.authz_client import AuthzClient
from portico_login_ui.request_context import RequestContext
from portico_oauth.errors import Kind, ServiceError

VISIT = RequestContext(REQUEST, BROWSER)
STEP = (ASK_STEP, GetStep(browser=BROWSER), REQUEST)
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


async def test_request_carries_key_request_id_and_trace() -> None:
    api = FakeLoginApi()
    REQUEST_ID.set("a-request-id-of-a-test")
    TRACE_PARENT.set(TRACE)
    await AuthzClient(OverHttpx(httpx.ASGITransport(api.app)), KEY).call(*STEP)

    assert api.headers["authorization"] == f"Bearer {KEY}"
    assert (api.headers["x-request-id"], api.headers["traceparent"]) == ("a-request-id-of-a-test", TRACE)
    assert api.headers["content-type"] == "application/json"


async def test_silent_authz_times_out() -> None:
    """The timeout covers the whole request, even while single bytes arrive."""

    async def be_silent(_request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    client = AuthzClient(OverHttpx(httpx.MockTransport(be_silent)), KEY)
    call, message, id = STEP
    with pytest.raises(ServiceError) as refused:
        await client.call(replace(call, seconds=0.01), message, id)

    assert refused.value.kind is Kind.UNAVAILABLE


@pytest.mark.parametrize(
    ("members", "waits"),
    [
        ({"step": StepName.PASSWORD, "password": "typed"}, True),
        ({"step": StepName.CHANGE_PASSWORD, "password": "typed", "new_password": "other"}, True),
        ({"step": StepName.LOGIN_NAME, "provider": "idp-1"}, True),
        ({"step": StepName.LOGIN_NAME, "login_name": "ada"}, False),
    ],
    ids=["password", "changed password", "provider", "login name"],
)
async def test_only_passwords_and_providers_are_waited_for_longer(members: dict[str, Any], waits: bool) -> None:
    """A costly hash and another provider may take their time; everything else is given up as soon as ever (RX-08)."""
    asked = asyncio.Event()

    async def be_slow(_request: httpx.Request) -> httpx.Response:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    client, call = AuthzClient(OverHttpx(httpx.MockTransport(be_slow)), KEY), replace(ANSWER_STEP, seconds=0.001)
    task = asyncio.create_task(
        client.call(call, answer_of(members.pop("step"), browser=BROWSER, csrf="c", **members), REQUEST)
    )
    await asked.wait()
    # Twenty times the deadline of the others, which may come late on a busy machine.
    done, _ = await asyncio.wait([task], timeout=0.02 if waits else HANGS)  # allow fixed-wait: nothing happens
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert (not done) is waits


async def test_ready_when_authz_accepts_the_key() -> None:
    """A call that authz does not list as refused proves the key, and later checks omit it."""
    paths: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        return httpx.Response(200)

    client = AuthzClient(OverHttpx(httpx.MockTransport(answer)), KEY)
    await client.check()
    await client.check()

    assert paths == [ACCOUNTS_API, DISCOVERY]


@pytest.mark.parametrize("key", ["", "another-key"])
async def test_not_ready_while_the_key_is_wrong(key: str) -> None:
    client = AuthzClient(OverHttpx(httpx.ASGITransport(FakeLoginApi().app)), key)

    with pytest.raises(ServiceError):
        await client.check()


async def test_not_ready_while_authz_is_unreachable() -> None:
    def fail(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no")

    client = AuthzClient(OverHttpx(httpx.MockTransport(fail)), KEY)

    with pytest.raises(ServiceError):
        await client.check()


async def test_503_does_not_verify_the_key() -> None:
    """The next check sends the key again."""
    paths: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        return httpx.Response(503)

    client = AuthzClient(OverHttpx(httpx.MockTransport(answer)), KEY)
    await client.check()
    await client.check()

    assert paths[0] == paths[1]


def test_repr_contains_no_secret() -> None:
    answer = PasswordAnswer(browser=BROWSER, csrf="c-s-r-f", password="pa55word")

    assert BROWSER not in repr(VISIT)
    assert not any(secret in repr(answer) for secret in (BROWSER, "c-s-r-f", "pa55word"))
