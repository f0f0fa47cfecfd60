"""What a SCIM connection keeps with a user or a group that it made or adopted (decision 0150)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from pymongo import ASCENDING, IndexModel

from portico_users.values.names import canonical

SCIM_IN: Final = "scimIn"
SCIM_KEY: Final = "scimKey"
SCIM_NAME: Final = "scimName"


class Provisioned(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The one connection that an object belongs to.

    Attributes:
        external_id: the client's name for the object; it means something within the connection only.
        removed: deleted by the client, which no longer sees it; the object itself stays, deactivated.
        values: JSON of what the client sent and the object has no fields for.
        user_name: the ``userName`` of a user whose login name is another value; otherwise empty.
    """

    connection_id: str
    external_id: str = ""
    removed: bool = False
    values: str = ""
    user_name: str = ""


def provisioned_keys(provisioned: Provisioned | None) -> dict[str, Any]:
    """Returns the indexed fields of an object that a connection sees."""
    if provisioned is None or provisioned.removed:
        return {}
    keys = {SCIM_IN: provisioned.connection_id}
    if provisioned.external_id:
        keys[SCIM_KEY] = external_key(provisioned)
    if provisioned.user_name:
        keys[SCIM_NAME] = sent_name_key(provisioned.connection_id, provisioned.user_name)
    return keys


def external_key(provisioned: Provisioned) -> str:
    return f"{provisioned.connection_id}\n{provisioned.external_id}"


def sent_name_key(connection_id: str, user_name: str) -> str:
    return f"{connection_id}\n{canonical(user_name)}"


SENT_NAMES: Final = IndexModel(
    [(SCIM_NAME, ASCENDING)], unique=True, partialFilterExpression={SCIM_NAME: {"$exists": True}}
)


def provisioned_indexes() -> tuple[IndexModel, ...]:
    """Objects that no connection sees are in none of them."""
    return (
        IndexModel([(SCIM_KEY, ASCENDING)], unique=True, partialFilterExpression={SCIM_KEY: {"$exists": True}}),
        IndexModel(
            [(SCIM_IN, ASCENDING), ("nameKey", ASCENDING), ("_id", ASCENDING), ("state", ASCENDING)],
            partialFilterExpression={SCIM_IN: {"$exists": True}},
        ),
    )
