"""What the tables of a provider make of claims that were verified."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from portico_contracts.users import VerifiedIdentity
from portico_oauth.assurance import HARDWARE_KEY, MULTI_FACTOR, ONE_TIME_CODE, PASSWORD, USER_PRESENCE

from portico_users.directory.identity_providers.claim_tables import ClaimTables
from portico_users.federation.members import member_at

MAX_METADATA: Final = 10_000
"""Characters of one value; a longer one is not stored."""

_ORDER: Final = (PASSWORD, ONE_TIME_CODE, HARDWARE_KEY, USER_PRESENCE, MULTI_FACTOR)


def with_tables(identity: VerifiedIdentity, tables: ClaimTables, claims: dict[str, Any]) -> VerifiedIdentity:
    """The identity with the groups, metadata and methods its provider's tables name, and no others."""
    return msgspec.structs.replace(
        identity, groups=_groups(tables, claims), metadata=_metadata(tables, claims), amr=_methods(tables, claims)
    )


def read_claims(tables: ClaimTables) -> tuple[str, ...]:
    """The paths of the claims that the tables read."""
    groups = (tables.groups_claim,) if tables.groups_claim else ()
    return (*groups, *(line.claim for line in tables.metadata))


def _groups(tables: ClaimTables, claims: dict[str, Any]) -> tuple[str, ...]:
    listed = set(_texts(member_at(claims, tables.groups_claim)))
    return tuple(sorted({line.group for line in tables.groups} & listed))


def _metadata(tables: ClaimTables, claims: dict[str, Any]) -> dict[str, str]:
    found = {line.key: _text_of(member_at(claims, line.claim)) for line in tables.metadata}
    return {key: text for key, text in found.items() if 0 < len(text) <= MAX_METADATA}


def _methods(tables: ClaimTables, claims: dict[str, Any]) -> tuple[str, ...]:
    stated = set(_texts(claims.get("amr")))
    trusted = {method for line in tables.amr if line.value in stated for method in line.methods}
    return tuple(method for method in _ORDER if method in trusted)


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


def _text_of(value: Any) -> str:
    """A text as it is, everything else as JSON; empty for nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
