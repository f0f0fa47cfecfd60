"""High-water marks of Redis that users stores for services whose Redis must not go back in time (decision 0065).

A watermark only grows, one per bucket and service; it is stored at most once a second, outside of requests.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.subjects import Message, Rpc

Service = Annotated[str, Meta(pattern="^[a-z][a-z-]{0,30}$")]
Bucket = Annotated[str, Meta(pattern="^[0-9a-f]{2}$")]
Mark = Annotated[int, Meta(ge=0, lt=2**53)]
"""Exactly representable as a double in Lua."""


class RememberMarks(Message, frozen=True):
    """Stores watermarks by bucket; lower ones than stored are ignored."""

    service: Service
    marks: dict[Bucket, Mark] = {}


class RecallMarks(Message, frozen=True):
    """Requests the watermarks of a service."""

    service: Service


class Marks(Message, frozen=True):
    """The stored watermarks of a service by bucket; empty where it never stored any."""

    marks: dict[str, int] = {}


class MarksRemembered(Message, frozen=True):
    """The watermarks are durable on a majority."""


REMEMBER_MARKS = Rpc("users.v1.redis_marks.remember", RememberMarks, MarksRemembered, ("authz", "token"))
RECALL_MARKS = Rpc("users.v1.redis_marks.recall", RecallMarks, Marks, ("authz", "token"))
