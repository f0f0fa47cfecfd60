"""How a token hook is called, and when it is not (decision 0149)."""

from __future__ import annotations

import asyncio
import base64
import time
from typing import Any, Final

import pytest
from portico_contracts.users import ClaimPlace, HookFailure
from portico_fakes.clock import FrozenClock
from portico_fakes.randomness import seeded_bytes
from portico_harness.rows import row
from portico_oauth.master_keys import MasterKeys
from portico_runtime.http_client.addresses import AddressNotAllowed, OutboundError
from portico_runtime.http_client.outbound import MAX_CONNECTIONS, OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse, TooLarge
from portico_users.identity_providers.secrets import SecretSealer
from portico_users.token_hooks.hook_calls import FAILURES, REST_SECONDS, HookCalls
from portico_users.webhooks.changes import with_secret
from portico_users.webhooks.webhook import Webhook, new_secret
from standardwebhooks import Webhook as Verifier

GOOD: Final = OutboundResponse(200, b'{"id_token": {"tenant": "t1"}}')
SEALER: Final = SecretSealer(MasterKeys.read(base64.b64encode(bytes(32)).decode()), seeded_bytes(5))
SECRET: Final = new_secret(seeded_bytes(6))


class FakeReceiver:
    """Answers with what it is given, as soon as `open`."""

    def __init__(self) -> None:
        self.answer: OutboundResponse | OutboundError = GOOD
        self.got: list[tuple[str, bytes, dict[str, str]]] = []
        self.open = asyncio.Event()
        self.open.set()

    async def call(self, url: str, body: bytes, headers: dict[str, str]) -> OutboundResponse:
        self.got.append((url, body, headers))
        await self.open.wait()
        if isinstance(self.answer, OutboundError):
            raise self.answer
        return self.answer


class Scenario:
    def __init__(self) -> None:
        self.receiver, self.clock = FakeReceiver(), FrozenClock(time.time())  # the library compares the time
        self.calls = HookCalls(self.receiver, SEALER, self.clock, seeded_bytes(7))

    def hook(self, id: str = "hook", org_id: str = "o") -> Webhook:
        webhook = Webhook(
            id=id, org_id=org_id, name="h", url="https://h.example/in", event_types=("token.issue",), project_id="p"
        )
        return with_secret(webhook, SECRET, SEALER)

    async def failure(self, id: str = "hook", org_id: str = "o") -> HookFailure | None:
        return (await self.calls.call(self.hook(id, org_id), {}, ())).failure


@pytest.fixture
def scenario() -> Scenario:
    return Scenario()


async def test_call_is_signed_and_its_answer_read(scenario: Scenario) -> None:
    """An independent library verifies the signature (Standard Webhooks)."""
    done = await scenario.calls.call(scenario.hook(), {"userId": "ada"}, ())
    [(url, body, headers)] = scenario.receiver.got
    signed: Any = Verifier(SECRET).verify(body, headers)

    assert (done.claims, done.failure) == ({ClaimPlace.ID_TOKEN: {"tenant": "t1"}}, None)
    assert (url, signed["type"], signed["data"]) == ("https://h.example/in", "token.issue", {"userId": "ada"})


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (NoResponse("TimeoutError"), HookFailure.TIMEOUT),
        (NoResponse("ConnectError"), HookFailure.UNREACHABLE),
        (AddressNotAllowed("the address is not public"), HookFailure.UNREACHABLE),
        (TooLarge(200), HookFailure.TOO_LARGE),
        (OutboundResponse(204, b""), HookFailure.STATUS),
        (OutboundResponse(302, b"{}"), HookFailure.STATUS),
        (OutboundResponse(500, GOOD.body), HookFailure.STATUS),
        (OutboundResponse(200, b"<html>"), HookFailure.MALFORMED),
        (OutboundResponse(200, b'{"id_token": {"sub": "mallory"}}'), HookFailure.RESERVED),
    ],
)
async def test_failure_gives_no_claims(
    scenario: Scenario, answer: OutboundResponse | OutboundError, failure: HookFailure
) -> None:
    """A hook that is slow, dead or lying is an outcome, never an error (IP-03)."""
    scenario.receiver.answer = answer
    done = await scenario.calls.call(scenario.hook(), {}, ())

    assert (done.failure, done.claims) == (failure, {})
    assert done.cause


async def test_hook_rests_after_repeated_failures(scenario: Scenario) -> None:
    """And is called again afterwards; other hooks are not affected."""
    scenario.receiver.answer = NoResponse("TimeoutError")
    failed = [await scenario.failure() for _ in range(FAILURES)]
    resting = await scenario.failure()
    scenario.receiver.answer = GOOD
    other = await scenario.failure("other")
    scenario.clock.tick(REST_SECONDS)

    assert failed == [HookFailure.TIMEOUT] * FAILURES
    assert (resting, other) == (HookFailure.RESTING, None)
    assert await scenario.failure() is None


async def test_success_forgets_the_failures_before_it(scenario: Scenario) -> None:
    outcomes = []
    for answer in (NoResponse("x"), NoResponse("x"), GOOD, NoResponse("x"), NoResponse("x"), GOOD):
        scenario.receiver.answer = answer
        outcomes.append(await scenario.failure() is None)

    assert outcomes == [False, False, True, False, False, True]


async def test_slow_hook_takes_only_some_of_the_connections(scenario: Scenario) -> None:
    scenario.receiver.open.clear()
    slow = [asyncio.create_task(scenario.failure()) for _ in range(13)]
    await asyncio.sleep(0)
    beyond = await scenario.failure()
    scenario.receiver.open.set()

    assert beyond is HookFailure.BUSY
    assert await asyncio.gather(*slow) == [None] * 13
    assert await scenario.failure() is None


async def test_slow_hooks_of_one_organization_delay_no_other(scenario: Scenario) -> None:
    """Four slow hooks and their tests get a quarter of the connections together, and refusals are no failures."""
    scenario.receiver.open.clear()
    slow = [asyncio.create_task(scenario.failure(f"hook{n % 4}")) for n in range(MAX_CONNECTIONS)]
    await asyncio.sleep(0)
    sent = len(scenario.receiver.got)
    other = asyncio.create_task(scenario.failure("hook", "other"))
    tested = await scenario.calls.call_now(scenario.hook("hook0"), {}, ())
    await asyncio.sleep(0)
    sent_with_other = len(scenario.receiver.got)
    scenario.receiver.open.set()
    outcomes = await asyncio.gather(*slow)

    assert (sent, sent_with_other) == (16, 17)
    assert (tested.failure, tested.cause) == (HookFailure.BUSY, "busy")
    assert outcomes == [None] * 16 + [HookFailure.BUSY] * (MAX_CONNECTIONS - 16)
    assert await other is None
    assert [await scenario.failure(f"hook{n}") for n in range(4)] == [None] * 4


async def test_slow_hooks_of_many_organizations_leave_connections(scenario: Scenario) -> None:
    """The more organizations have slow hooks, the fewer connections each gets; an organization without a call gets one."""
    for organizations, each in ((4, 10), (20, 3), (60, 1)):
        with row(organizations):
            scenario.receiver.got.clear()
            scenario.receiver.open.clear()
            names = [f"o{n}" for n in range(organizations)] * MAX_CONNECTIONS
            slow = [asyncio.create_task(scenario.failure(f"hook of {name}", name)) for name in names]
            await asyncio.sleep(0)
            sent = len(scenario.receiver.got)
            other = asyncio.create_task(scenario.failure("hook", "other"))
            await asyncio.sleep(0)
            sent_to_other = len(scenario.receiver.got) - sent
            scenario.receiver.open.set()
            await asyncio.gather(*slow)

            assert sent <= organizations * each
            assert (sent_to_other, await other) == (1, None)


async def test_slow_hook_leaves_connections_to_others_of_its_organization(scenario: Scenario) -> None:
    scenario.receiver.open.clear()
    slow = [asyncio.create_task(scenario.failure("slow")) for _ in range(16)]
    other = asyncio.create_task(scenario.failure("other"))
    await asyncio.sleep(0)
    scenario.receiver.open.set()
    await asyncio.gather(*slow)

    assert await other is None


async def test_test_calls_a_resting_hook_and_counts_for_nothing(scenario: Scenario) -> None:
    scenario.receiver.answer = NoResponse("x")
    for _ in range(FAILURES):
        await scenario.calls.call_now(scenario.hook(), {}, ())
    scenario.receiver.answer = GOOD

    assert await scenario.failure() is None


async def test_secret_that_cannot_be_decrypted_is_a_failure(scenario: Scenario) -> None:
    other = SecretSealer(MasterKeys.read(base64.b64encode(b"2" * 32).decode()), seeded_bytes(5))
    calls = HookCalls(scenario.receiver, other, scenario.clock, seeded_bytes(7))

    assert (await calls.call(scenario.hook(), {}, ())).failure is HookFailure.NO_SECRET
    assert scenario.receiver.got == []
