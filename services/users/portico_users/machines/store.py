"""Service users in MongoDB, beside the humans."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from pymongo import ASCENDING, IndexModel

from portico_users.domain.states import name_key
from portico_users.journal.entry import Document, Table
from portico_users.machines.machine import Machine


def _keys(machine: Machine) -> Document:
    return {"nameKey": name_key(machine, machine.user_name)}


MACHINES: Final[Table[Machine]] = Table(
    "users",
    Machine,
    USER_CHANGED,
    _keys,
    private=frozenset({"secretHash", "personalTokens"}),
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("personalTokens.hash", ASCENDING)], sparse=True),
    ),
)
