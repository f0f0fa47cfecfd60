"""The client of the login API: what it sends, how long it waits, when it calls authz healthy."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest
from portico_contracts.context import REQUEST_ID, TRACE_PARENT
from portico_contracts.login import Answer, GetStep, StepName
from portico_contracts.login_calls import ANSWER_STEP, ASK_STEP
from portico_fakes.fake_login_api import BROWSER, KEY, REQUEST, FakeLoginApi
from portico_fakes.over_httpx import OverHttpx
from portico_harness.eventually import HANGS
from portico_login_ui.authz_client import AuthzClient
from portico_login_ui.visit import Visit
from portico_oauth.errors import Kind, ServiceError

VISIT = Visit(REQUEST, BROWSER)
STEP = (ASK_STEP, GetStep(browser=BROWSER), REQUEST)
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


async def test_question_carries_key_request_id_and_trace() -> None:
    """Authz can know us, and its log lines belong to ours."""
    api = FakeLoginApi()
    REQUEST_ID.set("a-request-id-of-a-test")
    TRACE_PARENT.set(TRACE)
    await AuthzClient(OverHttpx(httpx.ASGITransport(api.app)), KEY).call(*STEP)

    assert api.headers["authorization"] == f"Bearer {KEY}"
    assert (api.headers["x-request-id"], api.headers["traceparent"]) == ("a-request-id-of-a-test", TRACE)
    assert api.headers["content-type"] == "application/json"


async def test_silent_authz_is_given_up() -> None:
    """All in all a question takes no longer than its time, even while bytes trickle in."""

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

    client, call = AuthzClient(OverHttpx(httpx.MockTransport(be_slow)), KEY), replace(ANSWER_STEP, seconds=0.01)
    task = asyncio.create_task(client.call(call, Answer(browser=BROWSER, csrf="c", **members), REQUEST))
    await asked.wait()
    # Twenty times the deadline of the others, which may come late on a busy machine.
    done, _ = await asyncio.wait([task], timeout=0.2 if waits else HANGS)  # allow fixed-wait: nothing happens
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert (not done) is waits


async def test_ready_when_authz_takes_the_key() -> None:
    """An unknown sign-in answered to our key is all it takes; later checks go without it."""
    paths: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        return httpx.Response(404)

    client = AuthzClient(OverHttpx(httpx.MockTransport(answer)), KEY)
    await client.check()
    await client.check()

    assert paths == [f"/login/v1/requests/{'0' * 32}/step", "/.well-known/openid-configuration"]


@pytest.mark.parametrize("key", ["", "another-key"])
async def test_not_ready_while_the_key_is_wrong(key: str) -> None:
    """A deployment with two keys stops at the readiness check, not at the first person."""
    client = AuthzClient(OverHttpx(httpx.ASGITransport(FakeLoginApi().app)), key)

    with pytest.raises(ServiceError):
        await client.check()


async def test_not_ready_while_authz_is_away() -> None:
    """Without a connection to authz the service is not ready."""

    def fail(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no")

    client = AuthzClient(OverHttpx(httpx.MockTransport(fail)), KEY)

    with pytest.raises(ServiceError):
        await client.check()


async def test_busy_authz_is_asked_with_the_key_again() -> None:
    """A 503 verifies no key, so the next check sends the key again."""
    paths: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        return httpx.Response(503)

    client = AuthzClient(OverHttpx(httpx.MockTransport(answer)), KEY)
    await client.check()
    await client.check()

    assert paths[0] == paths[1]


def test_nothing_secret_is_in_a_repr() -> None:
    """Handle, token and password never reach a log by accident."""
    answer = Answer(browser=BROWSER, csrf="c-s-r-f", step=StepName.PASSWORD, password="pa55word")

    assert BROWSER not in repr(VISIT)
    assert not any(secret in repr(answer) for secret in (BROWSER, "c-s-r-f", "pa55word"))
