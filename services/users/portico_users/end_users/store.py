from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.events import USER_CHANGED, USERS_CREATED
from pymongo import ASCENDING, DESCENDING, IndexModel

from portico_users.end_users.credential_changes import ends_trust
from portico_users.end_users.email_address import stamped
from portico_users.end_users.end_user import EndUser, can_authenticate
from portico_users.end_users.idp_links import LINK_TAKEN
from portico_users.end_users.marks import LAST_SIGN_IN, MARK_INDEXES, MARKS, NEVER, marks_of
from portico_users.storage.entry import Document, Entry, Table
from portico_users.storage.name_order import name_indexes
from portico_users.storage.schema import listing_indexes, listing_order
from portico_users.values.names import email_key
from portico_users.values.problems import EXTERNAL_ID_TAKEN, NAME_TAKEN
from portico_users.values.provisioned import SCIM_KEY, SCIM_NAME, SENT_NAMES, provisioned_indexes, provisioned_keys
from portico_users.values.records import State, name_key
from portico_users.values.word_keys import WORDS, word_indexes, word_keys

USERS: Final = "users"

PASSWORDS: Final = "passwords"


def _keys(human: EndUser) -> Document:
    keys: Document = {"nameKey": name_key(human, human.user_name)}
    if human.idp_links and human.state is not State.DELETED:
        keys["linkKeys"] = [link.key for link in human.idp_links]
    keys |= provisioned_keys(human.provisioned)
    return keys | _email_keys(human) | _word_keys(human) | {MARKS: marks_of(human), LAST_SIGN_IN: NEVER}


def _word_keys(human: EndUser) -> Document:
    names = (human.display_name, human.first_name, human.last_name, human.nick_name, human.user_name)
    addresses = (human.email, human.pending_email, human.proven_email)
    is_deleted = human.state is State.DELETED
    return word_keys((*names, *addresses), phones=(human.phone,), deleted=is_deleted)


def _email_keys(human: EndUser) -> Document:
    """Only verified addresses can be used to sign in."""
    is_held = human.email_verified and human.state is not State.DELETED
    return {"verifiedMailKey": email_key(human.email)} if is_held else {}


USER_WORD_ORDER: Final = [("orgId", ASCENDING), ("type", ASCENDING), (WORDS, ASCENDING)]
"""With the type, so that service users are found without reading end users, and either are counted in the index."""

GROUP_ORDER: Final = [("groups.id", ASCENDING)]

BY_PROOF: Final = {"emailProof.kind": DESCENDING, "emailProof.at": ASCENDING}
"""Proven before asserted, which is alphabetical in descending order, then by time; addresses without a proof last."""


LISTED_BY: Final = (
    "created",
    "nameKey",
    "userName",
    "firstName",
    "lastName",
    "nickName",
    "displayName",
    "email",
    "state",
    "type",
    LAST_SIGN_IN,
)
"""Sort orders and text searches of user lists, within an organization or across all."""

_WITH_ADDRESS: Final = {"verifiedMailKey": {"$exists": True}}


def _stamped(entry: Entry[EndUser], human: EndUser, timestamp: float) -> EndUser:
    human, before = _without_ended_invitation(stamped(human, timestamp), entry.before), entry.before
    if before is None or not ends_trust(before, human, entry.attached):
        return human
    return msgspec.structs.replace(human, trust_epoch=before.trust_epoch + 1)


def _without_ended_invitation(human: EndUser, before: EndUser | None) -> EndUser:
    """A user who can sign in has accepted it; after a reset, such as a new address, its code is void."""
    is_void = before is not None and before.invitation == human.invitation and before.resets != human.resets
    if human.invitation and (is_void or can_authenticate(human)):
        return msgspec.structs.replace(human, invitation=None)
    return human


HUMANS: Final[Table[EndUser]] = Table(
    USERS,
    EndUser,
    USER_CHANGED,
    _keys,
    private=frozenset({"metadata", "provisioned"}),
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("verifiedMailKey", ASCENDING), *BY_PROOF.items()], partialFilterExpression=_WITH_ADDRESS),
        IndexModel(
            [("orgId", ASCENDING), ("verifiedMailKey", ASCENDING), *BY_PROOF.items()],
            partialFilterExpression=_WITH_ADDRESS,
        ),
        IndexModel([("grants.orgId", ASCENDING)], sparse=True),
        IndexModel([("grants.projectGrantId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel([("grants.projectId", ASCENDING), ("grants.roleKeys", ASCENDING)], sparse=True),
        IndexModel(GROUP_ORDER, sparse=True),
        IndexModel(listing_order("nameKey", "groups.id"), partialFilterExpression={"groups.id": {"$exists": True}}),
        IndexModel([("linkKeys", ASCENDING)], unique=True, sparse=True),
        IndexModel(
            [("consents.clientId", ASCENDING)], partialFilterExpression={"consents.clientId": {"$exists": True}}
        ),
        *listing_indexes(*LISTED_BY),
        *name_indexes("displayName", "orgId"),
        *word_indexes(USER_WORD_ORDER),
        *MARK_INDEXES,
        *provisioned_indexes(),
        SENT_NAMES,
    ),
    duplicates={"linkKeys": LINK_TAKEN, SCIM_KEY: EXTERNAL_ID_TAKEN, SCIM_NAME: NAME_TAKEN},
    timestamps={PASSWORDS: "password_changed"},
    stamp=_stamped,
    kept=(LAST_SIGN_IN,),
    gathered=USERS_CREATED,
)
