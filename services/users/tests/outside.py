"""What users asks outside, in memory: mail server, web, names, identity providers, and receivers of webhooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from email.message import EmailMessage as MimeMessage
from typing import Any

import msgspec
from portico_runtime.outbound import MAX_BYTES, NoResponse, OutboundResponse, ResponseHead


class Mailbox:
    """A mail server that stores what it accepts, and fails with a given failure."""

    def __init__(self) -> None:
        self.taken: list[MimeMessage] = []
        self.failure: Exception | None = None

    async def send(self, message: MimeMessage) -> None:
        """See `portico_users.mail.transport.Transport`."""
        if self.failure:
            raise self.failure
        self.taken.append(message)


class FakeWeb:
    """The rest of the world: documents by their address, and texts of the name service by their name."""

    def __init__(self) -> None:
        self.shown: dict[str, list[str]] = {}

    def show(self, place: str, text: str) -> None:
        """Puts a document at an address, or a text at a name."""
        self.shown.setdefault(place, []).append(text)

    async def get(self, url: str) -> OutboundResponse:
        """See `portico_users.orgs.proofs.Fetch`."""
        texts = self.shown.get(url)
        return OutboundResponse(200, texts[-1].encode()) if texts else OutboundResponse(404, b"not here")

    async def find_texts(self, name: str) -> list[str]:
        """See `portico_users.orgs.proofs.FindTexts`."""
        return self.shown.get(name, [])


class FakeProviders:
    """Other identity providers: reply at their addresses with what a test puts there, and count who asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[dict[str, str], dict[str, str]], Awaitable[OutboundResponse]]] = {}
        self.asked: list[str] = []

    def show(self, url: str, document: Any, status: int = 200) -> None:
        """Puts a document at an address."""
        body = document if isinstance(document, bytes) else msgspec.json.encode(document)

        async def answer(_fields: dict[str, str], _headers: dict[str, str]) -> OutboundResponse:
            return OutboundResponse(status, body)

        self.answers[url] = answer

    async def get(self, url: str, headers: Any = None, *, limit: int = MAX_BYTES) -> OutboundResponse:
        """See `portico_users.federation.provider_calls.ProviderClient`."""
        answer = await self.exchange(url, {}, headers or {})
        if len(answer.body) > limit:
            raise NoResponse("the response is too large")
        return answer

    async def exchange(self, url: str, fields: Any, headers: Any) -> OutboundResponse:
        """See `portico_users.federation.provider_calls.ProviderClient`."""
        self.asked.append(url)
        if url not in self.answers:
            raise NoResponse("nothing listens there")
        return await self.answers[url](dict(fields), dict(headers))


class RecordedPosts:
    """The receivers of webhooks: store what they get, and reply with what they are given."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, dict[str, str]]] = []
        self.answers: dict[str, Callable[[str], Awaitable[int | ResponseHead]]] = {}  # 204 by those that are not here

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> ResponseHead:
        """See `portico_users.webhooks.sender.Post`."""
        self.got.append((url, body.decode(), headers))
        taken = await self.answers[url](body.decode()) if url in self.answers else 204
        return ResponseHead(taken) if isinstance(taken, int) else taken
