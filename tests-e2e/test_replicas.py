"""Two replicas of every service behave as one, and two stacks on one machine are independent."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from playwright.async_api import Page
from portico_fakes.management_api import message_of
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.id_token import at_hash, checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages, requests_to
from portico_scenarios.participants import ALICE, BOB, CAROL, KnownUser
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = [pytest.mark.e2e, pytest.mark.long]

RACERS = 100
ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"


async def test_user_signs_in_over_two_replicas(tab: Page, doubled: World) -> None:
    """Every step of a sign-in may reach another replica, and its tokens are valid at both."""
    pages = RelyingPartyPages(tab, doubled.rp_url("basic"))
    await pages.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await pages.expect_signed_in()
    token = (await pages.session())["token"]
    claims = await checked_claims(doubled.http, doubled.metadata, token["id_token"], "e2e-basic")

    assert claims["sub"] == ALICE.id
    assert claims["at_hash"] == at_hash(token["access_token"])


async def test_tokens_of_one_replica_are_known_to_the_other(doubled: World) -> None:
    """Every replica accepts the tokens of the other one and signs with a published key."""
    names = ["basic", "jwt", "basic", "jwt"]
    answers = await asyncio.gather(*(doubled.tokens_of(ALICE, name) for name in names))
    asked = [userinfo(doubled.http, doubled.metadata, tokens["access_token"]) for tokens in answers for _ in range(2)]
    checked = [
        await checked_claims(doubled.http, doubled.metadata, tokens["id_token"], f"e2e-{name}")
        for name, tokens in zip(names, answers, strict=True)
    ]

    assert [answer.status_code for answer in await asyncio.gather(*asked)] == [200] * 8
    assert {claims["sub"] for claims in checked} == {ALICE.id}


async def test_race_for_one_code_has_one_winner(doubled: World) -> None:
    """One of 100 parallel redemptions gets 200, and the others revoke its tokens (TK-01)."""
    begun, code = await doubled.code_of(ALICE, "basic")
    answers = await asyncio.gather(
        *(doubled.redeem("basic", code, code_verifier=begun.verifier) for _ in range(RACERS))
    )  # fmt: skip
    winners = [answer for answer in answers if answer.status_code == 200]
    seen = Counter((answer.status_code, answer.json().get("error", "")) for answer in answers)
    token = winners[0].json()["access_token"]
    after = await userinfo(doubled.http, doubled.metadata, token)

    assert seen == {(200, ""): 1, (400, "invalid_grant"): RACERS - 1}
    assert after.status_code == 401


async def test_two_stacks_do_not_sign_each_other_out(tab: Page, world: World, doubled: World) -> None:
    """Two issuers on one host have separate cookies, so both sessions exist in one browser."""
    for one in (world, doubled):
        pages = RelyingPartyPages(tab, one.rp_url("basic"))
        await pages.begin()
        await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
        await pages.expect_signed_in()
    login = requests_to(tab.context, "/ui/login")
    for one in (world, doubled):
        pages = RelyingPartyPages(tab, one.rp_url("jwt"))
        await pages.begin()
        await pages.expect_signed_in()
    names = {cookie.get("name", "") for cookie in await tab.context.cookies()}

    assert login == []
    assert len({name for name in names if name.startswith("portico-ua-")}) == 2


async def test_code_of_another_stack_is_unknown(world: World, doubled: World) -> None:
    """Codes and tokens are invalid at another issuer."""
    begun = begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        code = code_in(await agent.sign_in(begun.url, ALICE.login_name, ALICE.password))
    foreign = await doubled.redeem("basic", code, code_verifier=begun.verifier)
    mine = await world.redeem("basic", code, code_verifier=begun.verifier)
    refused = await userinfo(doubled.http, doubled.metadata, mine.json()["access_token"])

    assert foreign.status_code == 400
    assert mine.status_code == 200
    assert refused.status_code == 401


ROUNDS = [
    ("authz-1", "keys-1", "users-1", "login-ui-1"),
    ("token-1",),
    ("authz-2", "keys-2", "users-2", "login-ui-2"),
    ("token-2",),
]
"""Replicas that restart together: never both of a service, and token while keys is available."""


async def _sign_in_again_and_again(world: World, person: KnownUser, stop: asyncio.Event) -> int:
    done = 0
    while not stop.is_set():
        token = (await world.tokens_of(person, "basic"))["access_token"]
        for _ in range(5):
            assert (await userinfo(world.http, world.metadata, token)).status_code == 200
        done += 1
    return done


async def _administer_again_and_again(admin: Administrator, stop: asyncio.Event) -> int:
    """Creates and reads users by HTTP, gRPC-web and gRPC in sequence; raises on any failure."""
    done = 0
    async with admin.channel() as channel:
        while not stop.is_set():
            added = await admin.json(ADD, admin.human(f"n{done}"))
            assert added.code == 0, added.body
            who = {"userId": added.body["userId"]}
            read = [
                await admin.json(GET, {}, path=f"/v2/users/{who['userId']}"),
                await admin.grpc_web(GET, who),
                await admin.by(channel, GET, message_of(GET, who)),
            ]
            assert [said.code for said in read] == [0] * 3, read
            done += 1
    return done


async def test_rolling_restart_fails_no_request(doubled: World) -> None:
    """While the replicas of every service restart in turn, no sign-in and no management call fails (FD-12)."""
    stop = asyncio.Event()
    admin = await administrator_of(doubled)
    people = [
        asyncio.create_task(_administer_again_and_again(admin, stop)),
        *(asyncio.create_task(_sign_in_again_and_again(doubled, person, stop)) for person in (ALICE, BOB, CAROL)),
    ]
    for names in ROUNDS:
        await asyncio.gather(*(doubled.stack.stop_part(name) for name in names))
        await asyncio.gather(*(doubled.stack.start_part(name) for name in names))
    stop.set()
    done = await asyncio.gather(*people)

    assert all(done)
