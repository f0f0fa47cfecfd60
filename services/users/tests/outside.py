"""In-memory fakes of external services: mail server, web, DNS, identity providers, webhook receivers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from email.message import EmailMessage as MimeMessage
from typing import Any

import msgspec
from portico_runtime.outbound import MAX_BYTES, NoResponse, OutboundResponse, ResponseHead


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

    def show(self, url: str, document: Any, status: int = 200) -> None:
        body = document if isinstance(document, bytes) else msgspec.json.encode(document)

        async def answer(_fields: dict[str, str], _headers: dict[str, str]) -> OutboundResponse:
            return OutboundResponse(status, body)

        self.answers[url] = answer

    async def get(self, url: str, headers: Any = None, *, limit: int = MAX_BYTES) -> OutboundResponse:
        answer = await self.exchange(url, {}, headers or {})
        if len(answer.body) > limit:
            raise NoResponse("the response is too large")
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
