"""Service users in MongoDB, beside the humans."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from pymongo import ASCENDING, IndexModel

from portico_users.directory.service_users.service_user import Machine
from portico_users.kernel.entry import Document, Table
from portico_users.kernel.states import name_key


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
