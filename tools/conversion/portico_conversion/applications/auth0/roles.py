"""Roles of Auth0's users, which are neither in ``tenant.yaml`` nor in the export of users.

A file of them has a line ``{"role": "Admin", "user_id": "auth0|1"}`` for each, written with the answers of
``GET /api/v2/roles/{id}/users``, which do not contain the role.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.grants import add_grant, is_importable
from portico_conversion.findings import Findings, Place
from portico_conversion.reading.json_rows import rows_of
from portico_conversion.reading.records import Record, read_record
from portico_conversion.users import auth0
from portico_conversion.users.options import Options

NO_ROLES: Final = "role grants of users: no file has them (docs/guides/moving-from-auth0.md)"
NO_ROLE: Final = "a role of a user that is not a role of the tenant"
NO_USER: Final = "roles of a user who is not among the users that can be imported"


class _Row(Record, frozen=True, rename=None):
    role: str
    user_id: str


Roles = Mapping[str, Mapping[str, Place]]
"""Roles by users, with their places."""


def add_roles(draft: Draft, files: Iterable[Path]) -> None:
    """Adds the users of `files` with the roles that other `files` list; raises `SourceError`."""
    roles, exports = _read(files, draft.findings)
    if not roles:
        draft.findings.counted(NO_ROLES)
        return
    [project] = draft.projects
    left = dict(roles)
    for person in auth0.read_persons(exports, Options(), draft.findings.silent()):
        if person.id in roles and is_importable(person, draft.findings):
            known = [role for role in left.pop(person.id, {}) if role in project.roles]
            for role, place in roles[person.id].items():
                if role not in known:
                    draft.findings.not_moved(place, f"user {person.name}", NO_ROLE, role)
            add_grant(draft, project, person, known)
    for id, places in left.items():
        draft.findings.not_moved(next(iter(places.values())), f"user {id}", NO_USER, ", ".join(places))


def _read(files: Iterable[Path], findings: Findings) -> tuple[Roles, Sequence[Path]]:
    roles: defaultdict[str, dict[str, Place]] = defaultdict(dict)
    exports = []
    for path in files:
        if not _has_roles(path):
            exports.append(path)
            continue
        for place, value in rows_of(path):
            if row := read_record(value, _Row, place, findings):
                roles[row.user_id].setdefault(row.role, place)
    return roles, exports


def _has_roles(path: Path) -> bool:
    _, first = next(rows_of(path), (None, None))
    return isinstance(first, dict) and "role" in first
