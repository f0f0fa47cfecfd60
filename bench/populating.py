"""A population through public interfaces: imported, signed in over the login API, with tokens of two applications.

A sign-in over pages, with a password hash of its own, would take several minutes for ten thousand people. So they
are imported with one cheap hash, and the stack they are prepared in computes equally cheap ones; they sign in as
pages of one's own do (docs/guides/own-login-pages.md). The measured stack has the hashes of every installation.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
from portico_contracts.http import LOGIN_API
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_journeys.relying_party import Begun, Client, begin
from portico_runtime.bus import NatsBus

from bench.client_authentication import credentials
from bench.http_line import HttpAnswer, HttpLine, http_line
from bench.members import Member
from bench.target import path_of
from bench.token_kinds import kind_of

SCOPE: Final = "openid profile email"
OFFLINE: Final = f"{SCOPE} offline_access"
_PORTION: Final = 100
_AT_ONCE: Final = 2
_LINES: Final = 16
_IMPORT_SECONDS: Final = 120
_STEPS: Final = 4
_REPORTED: Final = 1_000


class PopulatingFailed(RuntimeError):
    """An end user could not be created or signed in; the text names what was answered."""


def row(name: str, hash: str, domain: str = "mail.example.test") -> str:
    """One user as a row of an import."""
    value = {
        "userId": name,
        "username": name,
        "profile": {"firstName": "Bench", "lastName": name, "preferredLanguage": "en"},
        "email": {"email": f"{name}@{domain}", "isVerified": True},
        "hashedPassword": {"hash": hash},
    }
    return msgspec.json.encode(value).decode()


async def import_rows(bus: NatsBus, rows: Sequence[str], org_id: str) -> None:
    """One portion, as ``portico user import`` sends it.

    Raises:
        PopulatingFailed: when a row is refused.
    """
    imported = await bus.call(IMPORT_USERS, ImportUsers(rows=tuple(rows), org_id=org_id), seconds=_IMPORT_SECONDS)
    for outcome in imported.rows:
        if outcome.status == "refused":
            raise PopulatingFailed(f"{outcome.user_name} is not imported: {outcome.problems}")


async def import_all(bus: NatsBus, rows: Sequence[str], org_id: str) -> None:
    """Every row, some portions at a time."""
    portions = [rows[start : start + _PORTION] for start in range(0, len(rows), _PORTION)]
    limit = asyncio.Semaphore(_AT_ONCE)

    async def one(portion: Sequence[str]) -> None:
        async with limit:
            await import_rows(bus, portion, org_id)

    await _together([one(portion) for portion in portions])


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where people sign in.

    Args:
        issuer: the front.
        metadata: its discovery document.
        login_api: scheme, host and port of the login API.
        login_key: what the login API requires.
        clients: applications; the refresh token of the first one is taken.
        password: everybody's.
    """

    issuer: str
    metadata: dict[str, Any]
    login_api: str
    login_key: str = field(repr=False)
    clients: tuple[Client, ...] = ()
    password: str = field(default="", repr=False)


async def sign_all_in(entrance: Entrance, names: Sequence[str], say: Callable[[str], None]) -> list[Member]:
    """Everybody, some at a time, in the order of the names.

    Raises:
        PopulatingFailed: with the first answer that was not right.
    """
    members: list[Member | None] = [None] * len(names)
    waiting = iter(enumerate(names))
    signed_in = 0

    async def work() -> None:
        nonlocal signed_in
        async with _Browser.opened(entrance) as browser:
            for number, name in waiting:
                members[number] = await browser.sign_in(name)
                signed_in += 1
                if signed_in % _REPORTED == 0:
                    say(f"  {signed_in:,} people are signed in")

    await _together([work() for _ in range(min(_LINES, len(names)))])
    return [member for member in members if member]


class _Browser:
    """One person after the other, on connections that stay open."""

    def __init__(self, entrance: Entrance, front: HttpLine, api: HttpLine) -> None:
        self._entrance = entrance
        self._front = front
        self._api = api

    @classmethod
    @asynccontextmanager
    async def opened(cls, entrance: Entrance) -> AsyncIterator[_Browser]:
        """With its connections."""
        async with AsyncExitStack() as lines:
            front = await lines.enter_async_context(http_line(entrance.issuer))
            yield cls(entrance, front, await lines.enter_async_context(http_line(entrance.login_api)))

    async def sign_in(self, name: str) -> Member:
        """Signs one person in, and gets tokens for every client."""
        member = Member("")
        for client in self._entrance.clients:
            scope = SCOPE if member.cookie else OFFLINE
            begun = begin(self._entrance.metadata, client, scope=scope, prompt=None, login_hint=name)
            sent = await self._get(path_of(begun.url), member)
            if not member.tokens:
                sent = await self._get(await self._login(name, sent, member), member)
            tokens = await self._redeem(client, begun, _parameter(sent, "code"))
            member.tokens[kind_of(tokens["access_token"])] = tokens["access_token"]
            member.refresh_token = member.refresh_token or tokens.get("refresh_token", "")
        return member

    async def _login(self, name: str, sent: HttpAnswer, member: Member) -> str:
        request = f"{LOGIN_API}/{_parameter(sent, 'request')}"
        step = await self._ask(f"{request}/step", member, {})
        said = {"login_name": {"login_name": name}, "password": {"password": self._entrance.password}}
        for _ in range(_STEPS):
            if step["name"] == "done":
                member.cookie = step["set_cookie"].partition(";")[0]
                return str(step["continue_to"])
            if step["name"] not in said or step.get("problem"):
                break
            answer = {"csrf": step["csrf"], "step": step["name"], **said[step["name"]]}
            step = await self._ask(f"{request}/answer", member, answer)
        raise PopulatingFailed(f"{name} cannot sign in: {step}")

    async def _ask(self, path: str, member: Member, values: dict[str, str]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._entrance.login_key}", "Content-Type": "application/json"}
        body = msgspec.json.encode({"browser": member.cookie.partition("=")[2], **values})
        found: dict[str, Any] = _right(await self._api.request("POST", path, headers, body), 200).json()
        return found

    async def _get(self, path: str, member: Member) -> HttpAnswer:
        answer = await self._front.request("GET", path, {"Cookie": member.cookie} if member.cookie else {})
        if cookie := answer.headers.get("set-cookie", "").partition(";")[0]:
            member.cookie = cookie
        return _right(answer, 302, 303)

    async def _redeem(self, client: Client, begun: Begun, code: str) -> dict[str, Any]:
        headers, fields = credentials(client)
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": client.redirect_uri, **fields}
        body = urlencode({**form, "code_verifier": begun.verifier}).encode()
        path = path_of(self._entrance.metadata["token_endpoint"])
        tokens: dict[str, Any] = _right(await self._front.request("POST", path, headers, body), 200).json()
        return tokens


async def _together(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """All at once; the first failure ends the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in work:
                group.create_task(coroutine)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


def _right(answer: HttpAnswer, *statuses: int) -> HttpAnswer:
    if answer.status not in statuses:
        raise PopulatingFailed(f"answered with {answer.status}: {answer.body[:300].decode(errors='replace')}")
    return answer


def _parameter(sent: HttpAnswer, name: str) -> str:
    location = sent.headers.get("location", "")
    values = parse_qs(urlsplit(location).query).get(name)
    if not values:
        raise PopulatingFailed(f"there is no {name} in {location[:300]}")
    return values[0]
