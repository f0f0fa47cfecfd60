"""What a SCIM connection keeps with a user or a group that it made or adopted (decision 0150)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from pymongo import ASCENDING, IndexModel

SCIM_IN: Final = "scimIn"
SCIM_KEY: Final = "scimKey"


class Provisioned(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The one connection that an object belongs to.

    Attributes:
        external_id: the client's name for the object; it means something within the connection only.
        removed: deleted by the client, which no longer sees it; the object itself stays, deactivated.
        values: JSON of what the client sent and the object has no fields for.
    """

    connection_id: str
    external_id: str = ""
    removed: bool = False
    values: str = ""


def provisioned_keys(provisioned: Provisioned | None) -> dict[str, Any]:
    """Returns the indexed fields of an object that a connection sees."""
    if provisioned is None or provisioned.removed:
        return {}
    keys = {SCIM_IN: provisioned.connection_id}
    return keys | ({SCIM_KEY: external_key(provisioned)} if provisioned.external_id else {})


def external_key(provisioned: Provisioned) -> str:
    return f"{provisioned.connection_id}\n{provisioned.external_id}"


def provisioned_indexes() -> tuple[IndexModel, ...]:
    """Objects that no connection sees are in none of them."""
    return (
        IndexModel([(SCIM_KEY, ASCENDING)], unique=True, partialFilterExpression={SCIM_KEY: {"$exists": True}}),
        IndexModel(
            [(SCIM_IN, ASCENDING), ("nameKey", ASCENDING), ("_id", ASCENDING), ("state", ASCENDING)],
            partialFilterExpression={SCIM_IN: {"$exists": True}},
        ),
    )
