"""The kinds of entries: a request with its answer, an event, and a report that may get lost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec

Request = TypeVar("Request", bound=msgspec.Struct)
Reply = TypeVar("Reply", bound=msgspec.Struct)
Body = TypeVar("Body", bound=msgspec.Struct)


ANSWER_SECONDS: Final = 2.0
"""How long an answer is waited for, unless the entry or the caller sets another time."""

UNREADY: Final = "unready."
"""How the subject begins at which a request is sent that no ready replica of its owner receives."""

Secret = Annotated[str, msgspec.Meta(extra={"secret": True})]
"""Text that must not be logged. A test finds fields by this mark, and by names that look like one."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What crosses the bus: frozen, without methods; unknown fields are ignored, new fields are optional."""

    def __repr__(self) -> str:
        """Names the message only: its values may be secrets, and reprs end up in logs and tracebacks."""
        return f"{type(self).__name__}(...)"


@dataclass(frozen=True, slots=True)
class Rpc(Generic[Request, Reply]):
    """A request on the bus.

    Args:
        subject: ``<owner>.v<version>.<thing>.<verb>``; the owner answers it, in a queue group.
        request: the message asked with.
        reply: the message answered with.
        called_by: the bus users that may ask; the bus refuses everybody else.
        seconds: how long the answer is waited for, where the caller sets no other time.
    """

    subject: str
    request: type[Request]
    reply: type[Reply]
    called_by: tuple[str, ...]
    seconds: float = ANSWER_SECONDS

    @property
    def owner(self) -> str:
        """The service that answers."""
        return self.subject.split(".", 1)[0]

    @property
    def unready_subject(self) -> str:
        """Where replicas of the owner receive it, ready or not; asked where none receives it at `subject`."""
        return f"{UNREADY}{self.subject}"


@dataclass(frozen=True, slots=True)
class Event(Generic[Body]):
    """Something that happened, on the JetStream stream EVENTS: a hint to refresh, never the truth itself.

    Args:
        subject: ``events.v<version>.<aggregate>.<past tense>``.
        body: ids and names of changed fields, never values.
        published_by: the only bus user that may publish it.
    """

    subject: str
    body: type[Body]
    published_by: str


@dataclass(frozen=True, slots=True)
class Report(Generic[Body]):
    """A message without an answer to one replica of its owner: sent once, stored by no stream, and lost where no replica listens.

    Args:
        subject: ``<owner>.v<version>.<thing>.<verb>``; the owner receives it, in a queue group.
        sent_by: the bus users that may send it.
    """

    subject: str
    body: type[Body]
    sent_by: tuple[str, ...]

    @property
    def owner(self) -> str:
        """The service that receives it."""
        return self.subject.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Consumer:
    """Work that is done for every event, by whichever replica takes it: a durable consumer of the stream.

    Args:
        name: unique over all services.
        consumed_by: the only bus user that may take from it.
        events: what it is about.
    """

    name: str
    consumed_by: str
    events: tuple[Event[Any], ...]


def encode(message: msgspec.Struct) -> bytes:
    """A message as JSON."""
    return _ENCODER.encode(message)


def decode(data: bytes, kind: type[Body]) -> Body:
    """Reads a message of a kind.

    Raises:
        msgspec.ValidationError: when the data is not one.
    """
    message: Body = _decoder(kind).decode(data)
    return message


@cache
def _decoder(kind: type[Body]) -> msgspec.json.Decoder[Body]:
    return msgspec.json.Decoder(kind)


_ENCODER = msgspec.json.Encoder()
