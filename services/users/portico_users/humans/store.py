"""Humans in MongoDB. They share a collection with service users, because they share one name space."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from pymongo import ASCENDING, IndexModel

from portico_users.domain.names import canonical
from portico_users.domain.records import State
from portico_users.domain.states import name_key
from portico_users.humans.human import Human
from portico_users.humans.idp_links import LINK_TAKEN
from portico_users.journal.entry import Document, Table

USERS: Final = "users"

PASSWORDS: Final = "passwords"
"""Where their hashes are, apart from them."""


def _keys(human: Human) -> Document:
    keys: Document = {"nameKey": name_key(human, human.user_name)}
    if human.idp_links and human.state is not State.DELETED:
        keys["linkKeys"] = [link.key for link in human.idp_links]
    # Only an address somebody proved may be signed in with.
    return keys | ({"verifiedMailKey": canonical(human.email)} if human.email_verified else {})


HUMANS: Final[Table[Human]] = Table(
    USERS,
    Human,
    USER_CHANGED,
    _keys,
    private=frozenset({"metadata"}),
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("orgId", ASCENDING), ("created", ASCENDING)]),
        IndexModel([("verifiedMailKey", ASCENDING)], sparse=True),
        IndexModel([("grants.orgId", ASCENDING)], sparse=True),
        IndexModel([("grants.projectGrantId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel([("grants.projectId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel([("linkKeys", ASCENDING)], unique=True, sparse=True),
    ),
    taken={"linkKeys": LINK_TAKEN},
    moments={PASSWORDS: "password_changed"},
)
