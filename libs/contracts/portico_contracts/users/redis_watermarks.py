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


Now = Annotated[float, Meta(ge=0)]
"""Unix time in seconds by a clock that agrees with MongoDB's; 0 where users knows none."""


class RememberWatermarks(Message, frozen=True):
    """Stores watermarks by bucket; lower ones than stored are ignored."""

    service: Service
    marks: dict[Bucket, Mark] = {}


class RecallWatermarks(Message, frozen=True):
    """Requests the watermarks of a service."""

    service: Service


class Watermarks(Message, frozen=True):
    """The stored watermarks of a service by bucket; empty where it never stored any."""

    marks: dict[str, int] = {}
    now: Now = 0


class WatermarksRemembered(Message, frozen=True):
    """The watermarks are durable on a majority."""

    now: Now = 0


REMEMBER_MARKS = Rpc("users.v1.redis_marks.remember", RememberWatermarks, WatermarksRemembered, ("authz", "token"))
RECALL_MARKS = Rpc("users.v1.redis_marks.recall", RecallWatermarks, Watermarks, ("authz", "token"))
