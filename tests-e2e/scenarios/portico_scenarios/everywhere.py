"""Both replicas of token and of authz, called directly about users in their versioned caches (decision 0039)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlsplit

import httpx
import jwt
from portico_contracts.http import AUTHORIZE, INTROSPECT, TOKEN, USERINFO
from portico_harness.eventually import eventually
from portico_harness.plain_http import plain_http

from portico_scenarios.cached_user_stage import ROLES, SCOPE, KnownUser, Stage
from portico_scenarios.relying_party import begin, proof_of
from portico_scenarios.world import World

SOURCES: Final = ("memory", "users")
"""Sources of cached user data: the values of the label of ``portico_facts_total``."""

FACT_SERVICES: Final = ("token", "authz")


IN_FORCE_SECONDS: Final = 1.0
"""Maximum staleness of cached data other than users: later requests see the change (decision 0039)."""


class Everywhere:
    """Calls each replica of token and authz directly; use it as an async context."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._http = plain_http()
        self._headers = {"Host": urlsplit(world.issuer).netloc}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def introspect(self, person: KnownUser) -> list[dict[str, Any]]:
        form, headers = {"token": person.access_token}, proof_of(person.stage.api, "").headers
        return [_members(answer) for answer in await self._post(INTROSPECT, form, headers)]

    async def userinfo(self, person: KnownUser) -> list[dict[str, Any]]:
        """Returns the claims of each replica; ``status`` alone on an error."""
        headers = {"Authorization": f"Bearer {person.access_token}"}
        return [_members(answer) for answer in await self._post(USERINFO, {}, headers)]

    async def refresh(self, person: KnownUser) -> list[dict[str, Any]]:
        """Refreshes at each replica in turn; returns the id_token's claims, or the error."""
        found = []
        for address in self._addresses("token"):
            form = {"grant_type": "refresh_token", "refresh_token": person.refresh_token}
            answer = await self._send("POST", address, TOKEN, proof_of(person.stage.app, "").headers, data=form)
            members = _members(answer)
            if answer.status_code == 200:
                person.access_token, person.refresh_token = members["access_token"], members["refresh_token"]
                members = jwt.decode(members["id_token"], options={"verify_signature": False})
            found.append(members)
        return found

    async def authorize(self, person: KnownUser) -> list[str]:
        """Returns each replica's authz decision without interaction: ``code``, an error, or the status of a page."""
        url = begin(self._world.metadata, person.stage.app, scope=SCOPE, prompt="none").url
        path = f"{AUTHORIZE}?{urlsplit(url).query}"
        answers = [
            await self._send("GET", address, path, {"Cookie": person.cookies}) for address in self._addresses("authz")
        ]
        return [_decision(answer) for answer in answers]

    async def change(self, stage: Stage, method: str, **members: Any) -> None:
        """Calls the management API at the first replica of users, without the gateway; raises on an error."""
        post = stage.prepared(method, **members)
        address = self._world.stack.replicas_of("users")[0].address
        answer = await self._send("POST", address, post.path, dict(post.headers), content=post.content)
        assert answer.status_code == 200, f"{method}: {answer.text}"

    async def counted(self, *services: str) -> Counter[str]:
        """Counts cache lookups by `SOURCES` over all replicas of the services; defaults to token and authz."""
        found: Counter[str] = Counter()
        for replica in (one for name in services or FACT_SERVICES for one in self._world.stack.replicas_of(name)):
            text = (await self._http.get(f"http://127.0.0.1:{replica.internal_port}/metrics")).text
            for source in SOURCES:
                name = f'portico_facts_total{{source="{source}"}} '
                found[source] += sum(
                    int(float(line.removeprefix(name))) for line in text.splitlines() if line.startswith(name)
                )
        return found

    async def warm(self, person: KnownUser) -> None:
        """Returns once every replica answers from its cache, without a request to users."""

        async def asked() -> tuple[int, int]:
            before = await self.counted()
            await self.introspect(person)
            await self.userinfo(person)
            await self.authorize(person)
            after = await self.counted()
            return after["memory"] - before["memory"], after["users"] - before["users"]

        # Claims and roles at two endpoints of two replicas of token, and the user at two of authz.
        await eventually(asked, lambda found: found[0] >= 10 and found[1] == 0)

    async def _post(self, path: str, form: dict[str, str], headers: dict[str, str]) -> list[httpx.Response]:
        return [await self._send("POST", address, path, headers, data=form) for address in self._addresses("token")]

    async def _send(self, verb: str, address: str, path: str, headers: dict[str, str], **more: Any) -> httpx.Response:
        url = f"http://{address}{path}"
        return await self._http.request(verb, url, headers={**self._headers, **headers}, **more)

    def _addresses(self, service: str) -> Iterable[str]:
        return (replica.address for replica in self._world.stack.replicas_of(service))


async def in_force(ask: Callable[[], Awaitable[Any]], wanted: object) -> None:
    """Checks that requests started after `IN_FORCE_SECONDS` see the change, because earlier leases have ended.

    A busy machine only starts requests later, so the bound still holds.
    """
    now = asyncio.get_running_loop().time
    end = now() + IN_FORCE_SECONDS
    while True:
        began = now()
        found = await ask()
        if found == wanted:
            return
        assert began < end, found


def with_role_names(members: dict[str, Any]) -> dict[str, Any]:
    """Reduces roles to their names."""
    return {**members, ROLES: sorted(members.get(ROLES, {}))}


def claims_in(found: list[dict[str, Any]], claims: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the named claims of each response; None where it has none."""
    return [{name: with_role_names(members).get(name) for name in claims} for members in found]


def _members(answer: httpx.Response) -> dict[str, Any]:
    members: dict[str, Any] = answer.json() if answer.content else {}
    return members if answer.status_code == 200 else {"status": answer.status_code, **members}


def _decision(answer: httpx.Response) -> str:
    if "location" not in answer.headers:
        return str(answer.status_code)
    parts = dict(parse_qsl(urlsplit(answer.headers["location"]).query))
    return parts.get("error", "code" if "code" in parts else answer.headers["location"])
