"""In-memory fakes of external services: mail server, web, DNS, identity providers, webhook receivers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from email.message import EmailMessage as MimeMessage
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import MAX_BYTES, OutboundResponse, ResponseHead
from portico_runtime.http_client.outbound_connection import NoResponse, TooLarge


class Mailbox:
    """A mail server that stores accepted emails, and fails on request."""

    def __init__(self) -> None:
        self.taken: list[MimeMessage] = []
        self.failure: Exception | None = None

    async def send(self, message: MimeMessage) -> None:
        if self.failure:
            raise self.failure
        self.taken.append(message)


class FakeWeb:
    """Documents by URL, and TXT records by name."""

    def __init__(self) -> None:
        self.shown: dict[str, list[str]] = {}

    def show(self, place: str, text: str) -> None:
        self.shown.setdefault(place, []).append(text)

    async def get(self, url: str) -> OutboundResponse:
        texts = self.shown.get(url)
        return OutboundResponse(200, texts[-1].encode()) if texts else OutboundResponse(404, b"not here")

    async def find_texts(self, name: str) -> list[str]:
        return self.shown.get(name, [])


class FakeProviders:
    """Identity providers with documents given by the test; counts requests."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[dict[str, str], dict[str, str]], Awaitable[OutboundResponse]]] = {}
        self.asked: list[str] = []
        self.unresolved: set[str] = set()
        """Hosts whose names cannot be resolved."""

    async def resolve(self, url: str) -> None:
        if urlsplit(url).hostname in self.unresolved:
            raise NoResponse("the name cannot be resolved")

    def kept_for(self, _owner: str) -> Self:
        return self

    def show(self, url: str, document: Any, status: int = 200) -> None:
        body = document if isinstance(document, bytes) else msgspec.json.encode(document)

        async def answer(_fields: dict[str, str], _headers: dict[str, str]) -> OutboundResponse:
            return OutboundResponse(status, body)

        self.answers[url] = answer

    async def get(self, url: str, headers: Any = None, *, limit: int = MAX_BYTES) -> OutboundResponse:
        answer = await self.exchange(url, {}, headers or {})
        if len(answer.body) > limit:
            raise TooLarge(answer.status)
        return answer

    async def exchange(self, url: str, fields: Any, headers: Any) -> OutboundResponse:
        self.asked.append(url)
        if url not in self.answers:
            raise NoResponse("nothing listens there")
        return await self.answers[url](dict(fields), dict(headers))


class RecordedPosts:
    """Webhook receivers that store requests and respond as given."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, dict[str, str]]] = []
        self.answers: dict[str, Callable[[str], Awaitable[int | ResponseHead]]] = {}  # 204 by those that are not here

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> ResponseHead:
        self.got.append((url, body.decode(), headers))
        taken = await self.answers[url](body.decode()) if url in self.answers else 204
        return ResponseHead(taken) if isinstance(taken, int) else taken


class OldSystem:
    """Answers the questions of lazy migration.

    Attributes:
        people: by login name: the password, and the row.
        answer: a response instead.
    """

    def __init__(self) -> None:
        self.people: dict[str, tuple[str, dict[str, Any]]] = {}
        self.answer: OutboundResponse | OutboundError | None = None
        self.asked: list[tuple[dict[str, Any], str, dict[str, str]]] = []

    async def call(self, url: str, body: bytes, headers: Mapping[str, str]) -> OutboundResponse:
        question = json.loads(body)
        self.asked.append((question["data"], body.decode(), dict(headers)))
        await asyncio.sleep(0)
        if isinstance(self.answer, OutboundError):
            raise self.answer
        return self.answer or OutboundResponse(200, json.dumps(self._answer_to(question["data"])).encode())

    def _answer_to(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["loginName"] not in self.people:
            return {"result": "unknown_user"}
        password, row = self.people[data["loginName"]]
        if data["password"] != password:
            return {"result": "wrong_password"}
        return {"result": "right_password", "user": row}
