"""Two other issuers as CI servers: a second Portico, and node-oidc-provider (decision 0152)."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import jwt
import pytest
from portico_contracts.apply import Document, OidcSettings, Organization, ServiceUser
from portico_contracts.http import TOKEN
from portico_contracts.keys import ROTATE_KEYS, RotateKeys
from portico_harness.eventually import HANGS, eventually
from portico_harness.key_pairs import key_pair
from portico_harness.plain_http import plain_http
from portico_harness.portico_command import portico
from portico_harness.rows import row
from portico_scenarios import third_party_app
from portico_scenarios.forged_tokens import FORGED, Parts
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine.ports import free_port
from portico_stack.running.operator_bus import operator_bus

pytestmark = [pytest.mark.e2e, pytest.mark.long]

PROVIDER: Final = Path(__file__).parent / "clients" / "provider" / "ci.mjs"
ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
JOBS: Final = ("job-main", "job-fork")
KEYS: Final = {name: key_pair(f"key-of-{name}", "RS256") for name in JOBS}
OF_EACH_KEY: Final = 10
ROTATIONS: Final = 2
"""With the first fetch, fewer than users makes in a minute; made-up key ids, which cause some too, come after it."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """`mint` returns a token of the job that is trusted; `wrong` those that the issuer signs, and that are refused."""

    url: str
    subject: str
    audience: str
    mint: Callable[[], Awaitable[str]]
    wrong: Callable[[], Awaitable[dict[str, str]]]
    rotate: Callable[[], Awaitable[object]]

    async def parts(self) -> Parts:
        token = await self.mint()
        async with plain_http() as http:
            discovery = (await http.get(f"{self.url}/.well-known/openid-configuration")).json()
            published = (await http.get(discovery["jwks_uri"])).json()["keys"]
        kid = jwt.get_unverified_header(token)["kid"]
        return Parts(token, next(key for key in published if key["kid"] == kid))


@asynccontextmanager
async def second_portico(folder: Path) -> AsyncIterator[Issuer]:
    """Jobs are its service users; their id_tokens name the job as subject and audience."""
    environment = {"keys": {"PORTICO_SIGNING_NOW_WAIT_SECONDS": "0.4", "PORTICO_SIGNING_ALGORITHMS": "RS256"}}
    async with started(StackOptions(folder, port=0, extra_env=environment)) as other:
        jobs = tuple(ServiceUser(name, name, id=name, keys=(KEYS[name].registered(),)) for name in JOBS)
        lifetimes = OidcSettings("3600s", "3600s", "86400s", "86400s")
        await other.stack.apply(
            Document(oidc_settings=lifetimes, organizations=(Organization(name="Jobs", service_users=jobs),))
        )

        async def tokens(name: str) -> dict[str, Any]:
            form = {
                "grant_type": JWT_BEARER,
                "assertion": KEYS[name].assertion(name, other.issuer),
                "scope": "openid profile",
            }
            answer = await other.http.post(f"{other.issuer}{TOKEN}", data=form)
            assert answer.status_code == 200, answer.text
            found: dict[str, Any] = answer.json()
            return found

        async def mint() -> str:
            return f"{(await tokens('job-main'))['id_token']}"

        async def wrong() -> dict[str, str]:
            fork = await tokens("job-fork")
            return {"token of another job": fork["id_token"], "opaque access token": fork["access_token"]}

        async def rotate() -> object:
            shared = other.stack.layout.shared
            async with operator_bus(shared.bus_url, shared.bus_passwords["operator"]) as bus:
                return await bus.call(ROTATE_KEYS, RotateKeys(alg="RS256", now=True), seconds=HANGS)

        yield Issuer(other.issuer, "job-main", "job-main", mint, wrong, rotate)


@asynccontextmanager
async def node_provider(folder: Path, port: int, audience: Callable[[], str]) -> AsyncIterator[Issuer]:
    """Jobs are its clients, with tokens for the audience that they request."""
    url, secret = f"http://127.0.0.1:{port}", secrets.token_hex(20)

    async def signed(job: str = "shop-main", **headers: Any) -> str:
        form = {"grant_type": "client_credentials", "resource": audience()}
        sent = {f"x-{name}": json.dumps(value) for name, value in headers.items()}
        async with plain_http() as http:
            answer = await http.post(f"{url}/token", data=form, headers=sent, auth=(job, secret))
        assert answer.status_code == 200, answer.text
        return f"{answer.json()['access_token']}"

    async def wrong() -> dict[str, str]:
        now = int(time.time())
        claims: dict[str, dict[str, Any]] = {
            "another subject": {"sub": "shop-fork"},
            "subject that goes on": {"sub": "shop-main-2"},
            "subject that is a list": {"sub": ["shop-main"]},
            "another audience": {"aud": "https://api.example"},
            "no audience": {"aud": []},
            "two audiences": {"aud": [audience(), "https://api.example"]},
            "audience of the endpoint": {"aud": f"{audience()}{TOKEN}"},
            "expired": {"exp": now - 1},
            "longer than an hour": {"exp": now + 3_700},
            "time of issue that is text": {"iat": "now"},
            "expiry that is text": {"exp": f"{now + 60}"},
            "issued in the future": {"iat": now + 120, "exp": now + 300},
            "valid in the future": {"nbf": now + 120},
            "issuer with a slash": {"iss": f"{url}/"},
            "issuer of the installation": {"iss": audience()},
        }
        missing = {f"no {name}": await signed(without={"names": [name]}) for name in ("sub", "exp")}
        types = {f"type {typ}": await signed(header={"typ": typ}) for typ in ("at+jwt", "logout+jwt", "secevent+jwt")}
        changed = {name: await signed(claims=one) for name, one in claims.items()}
        return {**changed, **missing, **types, "token of another job": await signed("shop-fork")}

    async def rotate() -> object:
        async with plain_http() as http:
            return await http.post(f"{url}/rotate")

    async with third_party_app.running(("node", PROVIDER), folder, url, {"URL": url, "SECRET": secret}):
        yield Issuer(url, "shop-main", "", signed, wrong, rotate)


@dataclass(frozen=True, slots=True)
class Installation:
    """`world` trusts the jobs of both issuers; `stop_node` ends node-oidc-provider."""

    world: World
    portico: Issuer
    node: Issuer
    stop_node: Callable[[], Awaitable[None]]

    async def robot_for(self, issuer: Issuer) -> str:
        """A new service user that trusts the job of the issuer, made with the command."""
        robot, data = f"robot-{secrets.token_hex(4)}", self.world.stack.options.data
        user = ServiceUser(robot, "Robot", id=robot)
        await self.world.stack.apply(Document(organizations=(Organization(name="Robots", service_users=(user,)),)))
        options = ("--issuer", issuer.url, "--audience", issuer.audience)
        added = await portico("workload", "add", robot, issuer.subject, *options, "--data", data)
        assert added.status == 0, added.output
        return robot

    async def ask(self, token: str, client_id: str) -> httpx.Response:
        form = {
            "grant_type": "client_credentials",
            "client_id": client_id,
            "client_assertion_type": ASSERTION_TYPE,
            "client_assertion": token,
            "scope": "openid",
        }
        return await self.world.http.post(f"{self.world.issuer}{TOKEN}", data=form)


@pytest.fixture(scope="module")
async def installation(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Installation]:
    port, own = free_port(), [""]
    async with AsyncExitStack() as opened, AsyncExitStack() as of_node:
        other = await opened.enter_async_context(second_portico(tmp_path_factory.mktemp("ci-portico")))
        folder = tmp_path_factory.mktemp("ci-node")
        node = await of_node.enter_async_context(node_provider(folder, port, lambda: own[0]))
        allowed = f"127.0.0.1:{port},{urlsplit(other.url).netloc}"
        options = StackOptions(
            tmp_path_factory.mktemp("trusting"), port=0, extra_env={"users": {"PORTICO_OUTBOUND_ALLOW": allowed}}
        )
        world = await opened.enter_async_context(started(options))
        own[0] = world.issuer
        yield Installation(world, other, node, of_node.aclose)


@pytest.fixture(params=["portico", "node"])
def issuer(request: pytest.FixtureRequest, installation: Installation) -> Issuer:
    found: Issuer = getattr(installation, request.param)
    return found


async def test_rotated_keys_fail_no_request(installation: Installation, issuer: Issuer) -> None:
    """Jobs authenticate all the time while their issuer changes its key: each new key works at its first token."""
    robot, statuses, signed = await installation.robot_for(issuer), Counter[int](), Counter[str]()

    async def work() -> None:
        while True:
            token = await issuer.mint()
            statuses[(await installation.ask(token, robot)).status_code] += 1
            signed[jwt.get_unverified_header(token)["kid"]] += 1

    async def accepted_with(kids: int) -> bool:
        counts = [*signed.values()]
        return len(counts) >= kids and counts[-1] >= OF_EACH_KEY

    workers = [asyncio.create_task(work()) for _ in range(4)]
    for number in range(1, ROTATIONS + 2):
        await eventually(partial(accepted_with, number), bool, HANGS)
        if number <= ROTATIONS:
            await issuer.rotate()
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)

    assert set(statuses) == {200}
    assert len(signed) >= ROTATIONS + 1


async def test_faulty_tokens_are_refused_alike(installation: Installation, issuer: Issuer) -> None:
    """30 and more for each issuer get the bytes of an unknown client, and the right one works before and after."""
    robot, parts = await installation.robot_for(issuer), await issuer.parts()
    unknown = await installation.ask(parts.token, "unknown")
    faulty = {name: forge(parts) for name, forge in FORGED.items()} | await issuer.wrong()
    assert (await installation.ask(parts.token, robot)).status_code == 200
    for name, token in faulty.items():
        with row(name):
            refused = await installation.ask(token, robot)

            assert (refused.status_code, refused.content) == (401, unknown.content)

    assert len(faulty) >= 30
    assert (await installation.ask(await issuer.mint(), robot)).status_code == 200


async def test_known_keys_serve_while_the_issuer_is_down_and_users_is_killed(installation: Installation) -> None:
    """Right tokens are accepted or answered with 503, and wrong ones are refused or answered with 503; when users works
    again, keys that token knows verify without the issuer.
    """
    world, node = installation.world, installation.node
    robot, parts = await installation.robot_for(node), await node.parts()
    assert (await installation.ask(parts.token, robot)).status_code == 200
    wrong = [forge(parts) for forge in FORGED.values()] + [*(await node.wrong()).values()]
    await installation.stop_node()
    right_answers, wrong_answers, stop = Counter[int](), Counter[int](), asyncio.Event()

    async def send(tokens: list[str], answers: Counter[int]) -> None:
        while not stop.is_set():
            for token in tokens:
                answers[(await installation.ask(token, robot)).status_code] += 1

    async def seen() -> bool:
        return right_answers[503] > 0 and wrong_answers[503] > 0

    senders = [asyncio.create_task(send([parts.token], right_answers)) for _ in range(2)]
    senders.append(asyncio.create_task(send(wrong, wrong_answers)))
    for _ in range(2):
        world.stack.kill("users")
        await eventually(seen, bool)
        await world.stack.wait_until_ready("users")
    stop.set()
    await asyncio.gather(*senders)

    assert set(right_answers) == {200, 503}
    assert set(wrong_answers) == {401, 503}
    assert (await installation.ask(parts.token, robot)).status_code == 200
