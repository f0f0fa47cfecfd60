"""docs/generated/stored-data.md: every collection and every kind of Redis key, what it holds and for how long."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Final

import msgspec
from portico_runtime.bus.event_stream import EVENTS_SECONDS
from portico_users.end_users.end_user import EndUser
from portico_users.values.records import NOT_STORED

from generated_pages.markdown import code, page_of, table
from generated_pages.stored_data import KEYS, REDIS, USERS, StoredData

_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def stored_data_page() -> str:
    """MongoDB, Redis, then the bus."""
    return page_of(
        "Stored data",
        "What is in the databases, and for how long with the default [settings](settings.md). "
        "[privacy.md](../privacy.md) has the rest: logs, emails, cookies, deletion.",
        "## MongoDB: users",
        _rows("Collection", USERS),
        "### Fields of a person",
        textwrap.fill(f"{', '.join(map(code, _fields()))}.", 120, break_long_words=False),
        "## MongoDB: keys",
        _rows("Collection", KEYS),
        "## Redis",
        "Ids and addresses in key names are hashed.",
        _rows("Owner and kind of key", REDIS),
        "## NATS",
        f"Events, with ids and names of changed fields, for {duration(EVENTS_SECONDS)}.",
    )


def duration(seconds: float) -> str:
    """Seconds in the largest unit that needs no fraction."""
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    count = round(seconds / size)
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _rows(head: str, stored: Mapping[str, StoredData]) -> str:
    return table([head, "Holds", "Kept"], [[code(name), one.holds, _kept(one)] for name, one in stored.items()])


def _kept(one: StoredData) -> str:
    if not one.seconds:
        return f"until {one.until}" if one.until.startswith(("the", "their")) else one.until
    return f"{duration(one.seconds)} {one.until}".rstrip()


def _fields() -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(EndUser) if field.name != NOT_STORED]
