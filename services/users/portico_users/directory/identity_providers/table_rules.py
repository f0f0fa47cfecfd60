"""What the tables of an identity provider must be like."""

from __future__ import annotations

from collections import Counter
from typing import Final

from portico_oauth.assurance import HARDWARE_KEY, MULTI_FACTOR, ONE_TIME_CODE, PASSWORD, USER_PRESENCE
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.preset_rules import is_claim_path
from portico_users.kernel.names import MAX_LENGTH, is_key, is_name
from portico_users.kernel.problems import Problem, Problems

INVALID_TABLE = ErrorCode(
    "USER-628",
    Kind.INVALID_REQUEST,
    "Invalid row of a mapping table.",
    "Join members of a claim with dots. List each group of a project once and with roles, and"
    " each metadata key and amr value once. At most 200 rows; methods are pwd, otp, hwk, user"
    " and mfa.",
)
GROUPS_OF_INSTANCE = ErrorCode(
    "USER-629",
    Kind.INVALID_REQUEST,
    "Group mappings of an instance's identity provider cannot grant roles.",
    "Map groups in an identity provider of the organization that owns the projects.",
)

MAX_LINES: Final = 200
METHODS: Final = frozenset({PASSWORD, ONE_TIME_CODE, HARDWARE_KEY, USER_PRESENCE, MULTI_FACTOR})
"""The methods a session can have (RFC 8176)."""


def problems_of_tables(idp: Idp) -> Problems:
    """Everything wrong with them, by the names of the document."""
    tables = idp.tables
    if tables.groups and idp.of_instance:
        yield Problem("groups", GROUPS_OF_INSTANCE)
    if bool(tables.groups) != bool(tables.groups_claim) or (
        tables.groups_claim and not is_claim_path(tables.groups_claim)
    ):
        yield Problem("groups.claim", INVALID_TABLE)
    places = Counter((one.group, one.project_id) for one in tables.groups)
    for number, group in enumerate(tables.groups):
        named = is_name(group.group) and group.role_keys and all(map(is_name, group.role_keys))
        if not named or places[group.group, group.project_id] > 1 or number >= MAX_LINES:
            yield Problem(f"groups.grants[{number}]", INVALID_TABLE)
    keys = Counter(one.key for one in tables.metadata)
    for number, line in enumerate(tables.metadata):
        is_once = is_key(line.key) and len(line.key) <= MAX_LENGTH and keys[line.key] == 1
        if not is_claim_path(line.claim) or not is_once or number >= MAX_LINES:
            yield Problem(f"metadata.{line.claim}", INVALID_TABLE)
    values = Counter(one.value for one in tables.amr)
    for number, method in enumerate(tables.amr):
        known = bool(method.methods) and METHODS.issuperset(method.methods)
        if not is_name(method.value) or values[method.value] > 1 or not known or number >= MAX_LINES:
            yield Problem(f"amr.{method.value}", INVALID_TABLE)
