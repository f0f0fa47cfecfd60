"""Humans in MongoDB. They share a collection with service users, because they share one name space."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from pymongo import ASCENDING, DESCENDING, IndexModel

from portico_users.domain.mail_keys import mail_key
from portico_users.domain.records import State
from portico_users.domain.states import name_key
from portico_users.humans.human import Human, ProofKind
from portico_users.humans.idp_links import LINK_TAKEN
from portico_users.humans.mail_address import stamped
from portico_users.journal.entry import Document, Table

USERS: Final = "users"

PASSWORDS: Final = "passwords"
"""Where their hashes are, apart from them."""


def _keys(human: Human) -> Document:
    keys: Document = {"nameKey": name_key(human, human.user_name)}
    if human.idp_links and human.state is not State.DELETED:
        keys["linkKeys"] = [link.key for link in human.idp_links]
    return keys | _mail_keys(human)


def _mail_keys(human: Human) -> Document:
    """Only a verified address may be signed in with, and only a proven one is kept from others' user names."""
    if not human.email_verified or human.state is State.DELETED:
        return {}
    key = mail_key(human.email)
    is_proven = human.email_proof is not None and human.email_proof.kind is ProofKind.PROVEN
    return {"verifiedMailKey": key} | ({"provenMailKey": key} if is_proven else {})


HUMANS: Final[Table[Human]] = Table(
    USERS,
    Human,
    USER_CHANGED,
    _keys,
    private=frozenset({"metadata"}),
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("orgId", ASCENDING), ("created", ASCENDING)]),
        IndexModel(
            [
                ("verifiedMailKey", ASCENDING),
                ("orgId", ASCENDING),
                ("emailProof.kind", DESCENDING),
                ("emailProof.at", ASCENDING),
            ],
            partialFilterExpression={"verifiedMailKey": {"$exists": True}},
        ),
        IndexModel(
            [("provenMailKey", ASCENDING), ("emailProof.at", ASCENDING)],
            partialFilterExpression={"provenMailKey": {"$exists": True}},
        ),
        IndexModel([("grants.orgId", ASCENDING)], sparse=True),
        IndexModel([("grants.projectGrantId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel([("grants.projectId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel([("linkKeys", ASCENDING)], unique=True, sparse=True),
    ),
    taken={"linkKeys": LINK_TAKEN},
    moments={PASSWORDS: "password_changed"},
    stamp=stamped,
)
