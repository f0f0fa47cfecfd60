"""What users remembers of Redis for services that store there what must not be revived (decision 0065).

A mark is a number that only grows, one per bucket and service. A Redis that has a smaller one than was remembered went back in
time. Services remember at most once a second, and off the path of every request.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.subjects import Message, Rpc

Service = Annotated[str, Meta(pattern="^[a-z][a-z-]{0,30}$")]
Bucket = Annotated[str, Meta(pattern="^[0-9a-f]{2}$")]
Mark = Annotated[int, Meta(ge=0, lt=2**53)]
"""It stays exact as a double of Lua."""


class RememberMarks(Message, frozen=True):
    """Remembers marks; one that is smaller than what is remembered changes nothing.

    Attributes:
        service: whose they are.
        marks: by bucket.
    """

    service: Service
    marks: dict[Bucket, Mark] = {}


class RecallMarks(Message, frozen=True):
    """Requests the marks of a service."""

    service: Service


class Marks(Message, frozen=True):
    """What is remembered of a service, by bucket; nothing where it never stored anything."""

    marks: dict[str, int] = {}


class MarksRemembered(Message, frozen=True):
    """They are on the disk of a majority."""


REMEMBER_MARKS = Rpc("users.v1.redis_marks.remember", RememberMarks, MarksRemembered, ("authz", "token"))
RECALL_MARKS = Rpc("users.v1.redis_marks.recall", RecallMarks, Marks, ("authz", "token"))
