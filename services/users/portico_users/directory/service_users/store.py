"""Service users in MongoDB, beside the humans."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from pymongo import ASCENDING, IndexModel

from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.entry import Document, Table
from portico_users.kernel.states import name_key


def _keys(service_user: ServiceUser) -> Document:
    return {"nameKey": name_key(service_user, service_user.user_name)}


SERVICE_USERS: Final[Table[ServiceUser]] = Table(
    "users",
    ServiceUser,
    USER_CHANGED,
    _keys,
    private=frozenset({"secretHash", "previousSecret", "personalTokens"}),
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("personalTokens.hash", ASCENDING)], sparse=True),
    ),
)
