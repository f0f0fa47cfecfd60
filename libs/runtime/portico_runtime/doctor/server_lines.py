"""The lines of MongoDB, Redis and Valkey that Portico supports, and the last day of their fixes."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple


class ServerLine(NamedTuple):
    """`ends` is the last day of its maker's fixes; None where the maker publishes none."""

    server: str
    version: tuple[int, int]
    ends: date | None


MONGODB: Final = "MongoDB"
REDIS: Final = "Redis"
VALKEY: Final = "Valkey"

LINES: Final = (
    ServerLine(MONGODB, (6, 0), date(2025, 7, 31)),
    ServerLine(MONGODB, (7, 0), date(2027, 8, 31)),
    ServerLine(MONGODB, (8, 0), date(2029, 10, 31)),
    # Redis fixes the newest line, the one before and the last of the major version before, without dates.
    ServerLine(REDIS, (6, 2), None),
    ServerLine(REDIS, (7, 2), None),
    ServerLine(REDIS, (8, 0), None),
    ServerLine(VALKEY, (8, 0), None),
    ServerLine(VALKEY, (9, 0), None),
)
"""Oldest first for each server."""


def oldest(server: str) -> tuple[int, int]:
    return next(line.version for line in LINES if line.server == server)


def past_end(server: str, version: tuple[int, ...], today: date) -> date | None:
    """Returns the day on which the line of this version ended, or None before that day, and where its maker publishes none."""
    line = next((one for one in LINES if one.server == server and one.version == version[:2]), None)
    return line.ends if line and line.ends and line.ends < today else None


def dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
