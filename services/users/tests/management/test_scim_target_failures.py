"""Targets that are slow, down, wrong or overtaken: at least once, in order for each user, and never a second account."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_fakes.scim_server import Answer, ScimServer
from portico_runtime.http_client.addresses import AddressNotAllowed
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse
from portico_users.scim_targets.sender import TargetSender

from .scim_targeting import Targeting

pytestmark = pytest.mark.servers

HTML = OutboundResponse(200, b"<html>Sign in</html>", content_type="text/html")
DAY = 86_400.0


@pytest.fixture
async def target(managed: Any) -> Targeting:
    return await Targeting(managed).set_up()


def fail(server: ScimServer, answer: Answer, *methods: str) -> None:
    server.fail = lambda method, _path: answer if not methods or method in methods else None


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (OutboundResponse(500, b"{}"), "status 500"),
        (OutboundResponse(401, b"{}"), "status 401"),
        (OutboundResponse(302, b"", content_type="text/html"), "status 302"),
        (HTML, "not in JSON"),
        (OutboundResponse(200, b"[]"), "not in JSON"),
        (OutboundResponse(200, b"[" * 100_000), "not in JSON"),
        (OutboundResponse(200, b'{"totalResults": "many"}'), "no list"),
        (OutboundResponse(200, b'{"totalResults": 1, "Resources": [{"id": ".."}]}'), "no account with an id"),
        (NoResponse("ReadTimeout"), "ReadTimeout"),
        (AddressNotAllowed("the address is not public"), "not public"),
    ],
)
async def test_failure_is_shown_and_retried(target: Targeting, answer: Answer, cause: str) -> None:
    """Nothing is created before a search has answered that there is no account."""
    id = await target.person("ada")
    fail(target.server, answer)
    await target.push()
    (failure,) = (await target.read())["failures"]
    assert target.server.written() == []
    target.server.fail = ScimServer().fail
    target.managed.users.clock.tick(60.0)
    await target.work()

    assert (failure["userId"], failure["name"]) == (id, "Ada Byron")
    assert cause in failure["cause"]
    assert [one["externalId"] for one in target.server.accounts.values()] == [id]
    assert "failures" not in await target.read()


async def test_lost_response_makes_no_second_account(target: Targeting) -> None:
    """The account was made, and no response came."""
    id = await target.person("ada")

    async def lose(method: str) -> None:
        if method == "POST":
            raise NoResponse("ReadError")

    target.server.after = lose
    await target.push()
    target.server.after = None
    target.managed.users.clock.tick(60.0)
    await target.work()

    assert [one["externalId"] for one in target.server.accounts.values()] == [id]


async def test_leaver_whose_account_no_response_named_becomes_inactive(target: Targeting) -> None:
    id = await target.person("ada")

    async def lose(method: str) -> None:
        if method == "POST":
            raise NoResponse("ReadError")

    target.server.after = lose
    await target.push()
    target.server.after = None
    await target.user("delete", id)
    target.managed.users.clock.tick(60.0)
    await target.push()

    assert [one["active"] for one in target.server.accounts.values()] == [False]


async def test_killed_replica_is_replaced_after_its_lease(target: Targeting, other_replica: Any) -> None:
    """Killed between two users of a batch: the other replica goes on, and each user has one account."""
    ids = [await target.person(f"user{number}") for number in range(5)]
    reached = asyncio.Event()

    async def hang(_method: str) -> None:
        if len(target.server.accounts) == 2:
            reached.set()
            await asyncio.Event().wait()

    target.server.after = hang
    await target.events()
    (killed,) = await target.managed.users.service.find(TargetSender).begin_due()
    await reached.wait()
    killed.cancel()
    target.server.after = None
    other_replica.parts.scim.__dict__.update(target.server.__dict__)
    sender = other_replica.service.find(TargetSender)
    assert await sender.begin_due() == ()
    target.managed.users.clock.tick(61.0)
    while under_way := await sender.begin_due():
        await asyncio.gather(*under_way)

    assert sorted(one["externalId"] for one in target.server.accounts.values()) == sorted(ids)


async def test_change_during_a_request_is_sent_after_it(target: Targeting) -> None:
    """The later state of a user is the last that the target gets."""
    id = await target.person("ada")
    changed = False

    async def change(method: str) -> None:
        nonlocal changed
        if method == "POST" and not changed:
            changed = True
            await target.user("deactivate", id)
            await target.events()

    target.server.after = change
    await target.push()

    assert [one["active"] for one in target.server.accounts.values()] == [False]
    assert [method for method, _ in target.server.written()] == ["POST", "PATCH"]


async def test_requested_pause_is_kept(target: Targeting) -> None:
    """Retry-After of a target with too many requests holds for all its users."""
    await target.person("ada")
    await target.person("eve")
    target.server.requests.clear()
    fail(target.server, OutboundResponse(429, b"", retry_after="120"))
    await target.push()
    asked = len(target.server.requests)
    target.server.fail = ScimServer().fail
    target.managed.users.clock.tick(119.0)
    await target.work()
    paused = len(target.server.requests)
    target.managed.users.clock.tick(2.0)
    await target.work()

    assert (asked, paused) == (1, 1)
    assert len(target.server.accounts) == 2


async def test_user_whom_the_target_refuses_delays_no_other(target: Targeting) -> None:
    """Given up after three days, until the next change of the user."""
    bad, good = await target.person("bad"), await target.person("good")
    refusal = OutboundResponse(400, b'{"detail": "displayName is taken"}')

    def refuse_bad(method: str, _path: str) -> Answer:
        return refusal if method == "POST" and target.server.requests[-1][2]["externalId"] == bad else None

    target.server.fail = refuse_bad
    await target.push()
    (failure,) = (await target.read())["failures"]
    assert [one["externalId"] for one in target.server.accounts.values()] == [good]
    assert failure["cause"] == "POST was answered with status 400: displayName is taken"
    for _ in range(20):
        target.managed.users.clock.tick(6 * 3600.0)
        await target.work()
    (failure,) = (await target.read())["failures"]

    assert (await target.read())["state"] == "SCIM_TARGET_STATE_ACTIVE"
    assert failure["httpStatus"] == 400


async def test_target_that_fails_for_three_days_is_deactivated(target: Targeting) -> None:
    """The target has the reason, and after the activation all users are compared."""
    id = await target.person("ada")
    fail(target.server, NoResponse("ConnectError"))
    await target.push()
    failing = await target.read()
    for _ in range(75):
        target.managed.users.clock.tick(3600.0)
        await target.work()
    found = await target.read()
    shown = await target.attention()
    target.server.fail = ScimServer().fail
    await target.call("Activate")
    await target.compare()

    assert failing["failingSince"]
    assert [(one["id"], one["projectId"]) for one in shown] == [(target.app_id, target.project_id)]
    assert (found["state"], found["failure"]) == (
        "SCIM_TARGET_STATE_INACTIVE",
        "the target accepted nothing for three days",
    )
    assert [one["externalId"] for one in target.server.accounts.values()] == [id]
    assert "failure" not in await target.read()


async def test_target_without_patch_gets_whole_accounts(target: Targeting) -> None:
    """PUT keeps what the target alone has, and sends nothing that is read-only."""
    id = await target.person("ada")
    await target.push()
    (account,) = target.server.accounts.values()
    account["title"] = "Countess"
    target.server.patches = False
    await target.user("deactivate", id)
    await target.push()
    (account,) = target.server.accounts.values()

    assert (account["active"], account["title"], account["userName"]) == (False, "Countess", target.mail("ada"))


@pytest.mark.parametrize("window", [1, 3])
async def test_run_that_is_interrupted_goes_on_where_it_was(
    managed: Any, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    """Windows are counted once, whatever fails between them."""
    monkeypatch.setattr("portico_users.scim_targets.wanted.WINDOW", window)
    target = await Targeting(managed).set_up(active=False)
    for number in range(7):
        id = await target.person(f"user{number}")
        if number < 4:
            target.server.add(target.mail(f"user{number}"), externalId=id)
    target.server.page = window
    asked = 0

    def every_third(_method: str, _path: str) -> Answer:
        nonlocal asked
        asked += 1
        return NoResponse("ReadTimeout") if asked % 3 == 0 else None

    target.server.fail = every_third
    await target.call("dry_run", method="DryRunScimTarget")
    for _ in range(40):
        await target.work()
        target.managed.users.clock.tick(700.0)
    run = (await target.read())["dryRun"]

    assert (run["changeCount"], run["createCount"], len(run["created"])) == ("4", "3", 3)
    assert run["state"] == "SCIM_TARGET_RUN_STATE_ENDED"
    assert target.server.written() == []


async def test_test_names_the_cause(managed: Any) -> None:
    target = await Targeting(managed).set_up(active=False)
    good = await target.call("Test")
    fail(target.server, OutboundResponse(401, b""))
    bad = await target.call("Test")

    assert good["test"]["succeeded"]
    assert "succeeded" not in bad["test"]
    assert (bad["test"]["httpStatus"], bad["test"]["cause"]) == (401, "GET was answered with status 401")
    assert (await target.read())["lastTest"] == bad["test"]
