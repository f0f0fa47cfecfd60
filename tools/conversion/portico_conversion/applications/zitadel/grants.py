from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from portico_contracts.apply import RoleGrant

from portico_conversion.applications.draft import Draft
from portico_conversion.findings import Place
from portico_conversion.reading.records import Record, read_record


class _UserGrant(Record, frozen=True):
    user_id: str
    project_id: str
    project_grant_id: str = ""
    role_keys: list[str] = []


Grants = Mapping[str, tuple[RoleGrant, ...]]
"""Role grants by the ids of their users."""


def grants_by_user(draft: Draft, rows: Mapping[str, Sequence[tuple[Place, Any]]]) -> Grants:
    found: defaultdict[str, tuple[RoleGrant, ...]] = defaultdict(tuple)
    for place, value in rows.get("userGrants", ()):
        if grant := read_record(value, _UserGrant, place, draft.findings):
            found[grant.user_id] += (
                RoleGrant(
                    project=grant.project_id,
                    project_grant=grant.project_grant_id,
                    role_keys=tuple(grant.role_keys),
                ),
            )
    return found


def grant_service_users(draft: Draft, granted: Grants) -> None:
    draft.service_users = [
        msgspec.structs.replace(user, grants=granted[user.id]) if user.id and user.id in granted else user
        for user in draft.service_users
    ]
