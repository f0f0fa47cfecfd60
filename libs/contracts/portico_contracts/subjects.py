from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec

Request = TypeVar("Request", bound=msgspec.Struct)
Reply = TypeVar("Reply", bound=msgspec.Struct)
Body = TypeVar("Body", bound=msgspec.Struct)


ANSWER_SECONDS: Final = 2.0
"""Default timeout of a reply."""

UNREADY: Final = "unready."
"""Prefix of the subject that is used when no ready replica of the owner receives a request."""

Secret = Annotated[str, msgspec.Meta(extra={"secret": True})]
"""Text that must not be logged. A test finds fields by this marker, and by names that look like secrets."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message on the bus: immutable; unknown fields are ignored, new fields are optional."""

    def __repr__(self) -> str:
        """Omits values, which may be secrets: reprs end up in logs and tracebacks."""
        return f"{type(self).__name__}(...)"


@dataclass(frozen=True, slots=True)
class Rpc(Generic[Request, Reply]):
    """A request ``<owner>.v<version>.<thing>.<verb>``; the bus denies it to users not in `called_by`."""

    subject: str
    request: type[Request]
    reply: type[Reply]
    called_by: tuple[str, ...]
    seconds: float = ANSWER_SECONDS

    @property
    def owner(self) -> str:
        return self.subject.split(".", 1)[0]

    @property
    def unready_subject(self) -> str:
        """Received by all replicas of the owner, ready or not; used where no replica receives `subject`."""
        return f"{UNREADY}{self.subject}"


@dataclass(frozen=True, slots=True)
class Event(Generic[Body]):
    """An event on the stream EVENTS: a hint to refresh, never authoritative; its body never has changed values."""

    subject: str
    body: type[Body]
    published_by: str


@dataclass(frozen=True, slots=True)
class Report(Generic[Body]):
    """A message without a reply to one replica of its owner: not persisted, and lost where none listens."""

    subject: str
    body: type[Body]
    sent_by: tuple[str, ...]

    @property
    def owner(self) -> str:
        return self.subject.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Consumer:
    """A durable consumer with a unique `name`: each event is handled by one replica, up to `batch` at once."""

    name: str
    consumed_by: str
    events: tuple[Event[Any], ...]
    batch: int = 1


def encode(message: msgspec.Struct) -> bytes:
    return _ENCODER.encode(message)


def decode(data: bytes, kind: type[Body]) -> Body:
    message: Body = _decoder(kind).decode(data)
    return message


@cache
def _decoder(kind: type[Body]) -> msgspec.json.Decoder[Body]:
    return msgspec.json.Decoder(kind)


_ENCODER = msgspec.json.Encoder()
