"""A steady load with a known correct response to each request; counts failures, wrong responses and lost writes."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from portico_contracts.apply import Document, Email, EndUser, Organization, Password, Profile, RoleGrant, ServiceUser

from portico_scenarios.programs import API, AUDIENCE, PROJECT_ID, READER
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.world import World, code_in

PASSWORD = "a bench above the harbour"
PEOPLE = 24
PROGRAMS = 24
WRITES = float(os.environ.get("PORTICO_TEST_DRILL_WRITES", "300"))
"""Default rate per minute."""

ASKED_AT_ONCE = 16


@dataclass(slots=True)
class Outcome:
    """The outcome of requests.

    Attributes:
        failed: time of each failure, in seconds of the monotonic clock, and its kind.
        wrong: responses that must never occur.
        counts: correct responses by kind.
    """

    asked: int = 0
    failed: list[tuple[float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def last_failure_after(self, moment: float) -> float:
        """Returns the seconds from a time to the last failure after it; 0 without failures."""
        return max((at - moment for at, _how in self.failed if at >= moment), default=0.0)

    def failed_after(self, moment: float) -> int:
        return sum(at >= moment for at, _how in self.failed)


@dataclass(slots=True)
class Token:
    text: str = field(repr=False)
    revoked: bool = False


class SteadyLoad:
    """Users who sign in, and an API that introspects tokens, some of which are revoked.

    Args:
        sign_ins: per minute.
        introspections: per minute.
        writes: per minute: tokens issued to service users; every third is revoked.
        refreshes: per minute; every fourth reuses the previous refresh token.
        others: further work, and how often a minute.
    """

    def __init__(
        self,
        world: World,
        *,
        sign_ins: float = 30,
        introspections: float = 300,
        writes: float = WRITES,
        refreshes: float = 0,
        others: Mapping[Callable[[], Awaitable[None]], float] | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        self.outcome = outcome or Outcome()
        self.tokens: list[Token] = []
        self._world = world
        self._rates = {
            work: rate
            for work, rate in (
                (self._sign_in, sign_ins),
                (self._introspect, introspections),
                (self._write, writes),
                (self._refresh, refreshes),
                *(others or {}).items(),
            )
            if rate
        }
        self._refresh_tokens: list[str] = []
        """No token is used by two requests at once."""
        self._refreshed = 0
        self._work: list[asyncio.Task[None]] = []
        self._running: set[asyncio.Task[None]] = set()

    async def prepare(self) -> None:
        """Registers the users and service users, spread over many buckets."""
        people = tuple(
            EndUser(
                id=f"steady-{number}",
                username=f"steady-{number}",
                profile=Profile(first_name="Steady", last_name=str(number)),
                email=Email(email=f"steady-{number}@mail.example.test", is_verified=True),
                password=Password(password=PASSWORD),
            )
            for number in range(PEOPLE)
        )
        programs = tuple(
            ServiceUser(id=_program(number).client_id, username=f"steady-program-{number}", name="Steady",
                        secret=_program(number).secret,
                        grants=(RoleGrant(project=PROJECT_ID, role_keys=(READER,), organization="e2e-org"),))
            for number in range(PROGRAMS)
        )  # fmt: skip
        organization = Organization(
            id="steady", name="steady", primary_domain="steady.localhost", humans=people, service_users=programs
        )
        await self._world.stack.apply(Document(organizations=(organization,)))
        for _ in range(10):
            await self._write()

    async def __aenter__(self) -> SteadyLoad:
        self._work = [asyncio.create_task(self._repeat(work, rate)) for work, rate in self._rates.items()]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await asyncio.gather(*self._running, return_exceptions=True)

    async def lost(self) -> list[Token]:
        """Returns inactive tokens with an acknowledged issue, and active tokens with an acknowledged revocation."""
        left, lost = iter(self.tokens), []

        async def examine() -> None:
            for token in left:
                if await self._is_active(token) is token.revoked:
                    lost.append(token)

        await asyncio.gather(*(examine() for _ in range(ASKED_AT_ONCE)))
        return lost

    async def works(self) -> bool:
        """Reports whether every service user can get, introspect and revoke a token, and a user can sign in; one
        attempt each.
        """
        programs = (self._write(_program(number)) for number in range(PROGRAMS))
        try:
            await asyncio.gather(*programs, self._introspect(), self._sign_in())
        except (AssertionError, httpx.HTTPError):
            return False
        return True

    async def _repeat(self, work: Callable[[], Awaitable[None]], per_minute: float) -> None:
        while True:
            task = asyncio.create_task(self._count(work))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            await asyncio.sleep(60 / per_minute)  # allow fixed-wait: the rate of the load

    async def _count(self, work: Callable[[], Awaitable[None]]) -> None:
        self.outcome.asked += 1
        try:
            await work()
            self.outcome.counts[work.__name__.strip("_")] += 1
        except (AssertionError, httpx.HTTPError) as error:
            self.outcome.failed.append(
                (time.monotonic(), f"{work.__name__}: {type(error).__name__} {str(error)[:120]}")
            )

    async def _sign_in(self) -> None:
        name = f"steady-{random.randrange(PEOPLE)}"  # noqa: S311 - any one will do
        begun = begin(self._world.metadata, self._world.clients["basic"])
        async with self._world.agent() as agent:
            page = await agent.sign_in(begun.url, name, PASSWORD)
        answer = await self._world.redeem("basic", code_in(page), code_verifier=begun.verifier)
        assert answer.status_code == 200, answer.text

    async def _refresh(self) -> None:
        """Exchanges the newest refresh token of a sign-in, which then becomes invalid."""
        client = self._world.clients["offline"]
        used = self._refresh_tokens.pop(0) if len(self._refresh_tokens) >= PEOPLE else await self._first_refresh_token()
        answer = await self._world.ask("token_endpoint", client, grant_type="refresh_token", refresh_token=used)
        if answer.status_code == 400:
            self.outcome.wrong.append(f"a refresh token was refused: {answer.text[:200]}")
        assert answer.status_code == 200, answer.text
        self._refreshed += 1
        if self._refreshed % 4:
            self._refresh_tokens.append(answer.json()["refresh_token"])
            return
        again = await self._world.ask("token_endpoint", client, grant_type="refresh_token", refresh_token=used)
        if again.status_code == 200:
            self.outcome.wrong.append("a used refresh token was accepted")
        assert again.status_code == 400, again.text

    async def _first_refresh_token(self) -> str:
        name = f"steady-{random.randrange(PEOPLE)}"  # noqa: S311 - any one will do
        client = self._world.clients["offline"]
        begun = begin(self._world.metadata, client, scope="openid offline_access")
        async with self._world.agent() as agent:
            page = await agent.sign_in(begun.url, name, PASSWORD)
        answer = await self._world.redeem("offline", code_in(page), code_verifier=begun.verifier)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["refresh_token"])

    async def _introspect(self) -> None:
        token = random.choice(self.tokens[-500:])  # noqa: S311 - any one will do
        was_revoked = token.revoked
        active = await self._is_active(token)
        if active and was_revoked:
            self.outcome.wrong.append("a revoked token was active")
        if not active and not token.revoked:
            self.outcome.wrong.append("a token was inactive")

    async def _write(self, program: Client | None = None) -> None:
        client = program or _program(random.randrange(PROGRAMS))  # noqa: S311 - any one will do
        answer = await self._world.ask(
            "token_endpoint", client, grant_type="client_credentials", scope=f"openid {AUDIENCE}"
        )
        assert answer.status_code == 200, answer.text
        token = Token(answer.json()["access_token"])
        if len(self.tokens) % 3 == 2:
            answer = await self._world.ask("revocation_endpoint", client, token=token.text)
            assert answer.status_code == 200, answer.text
            token.revoked = True
        self.tokens.append(token)

    async def _is_active(self, token: Token) -> bool:
        answer = await self._world.ask("introspection_endpoint", API.client, token=token.text)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return bool(found["active"])


def _program(number: int) -> Client:
    return Client(f"steady-program-{number}", "", f"steady-secret-of-{number}-{'s' * 24}")
