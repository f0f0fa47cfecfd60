"""Administrators of ZITADEL: members of the instance, of organizations, of projects and of project grants."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.apply import Member

from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.findings import Findings, Place
from portico_conversion.reading.records import Record, read_record

LATER: Final = "a member: --grants writes the roles of members after the import of users"
NO_USER: Final = "roles of a member who is not among the users that can be imported"
NO_ROLE: Final = "a role of members that does not exist here"
NO_PLACE: Final = "roles of a member of a project or a project grant that is not in the export"

INSTANCE: Final = "instance"
LISTS: Final = ("orgMembers", "projectMembers", "projectGrantMembers")
ROLES: Final = {
    INSTANCE: frozenset(
        {
            "IAM_OWNER",
            "IAM_OWNER_VIEWER",
            "IAM_ORG_MANAGER",
            "IAM_USER_MANAGER",
            "IAM_LOGIN_CLIENT",
            "IAM_END_USER_IMPERSONATOR",
        }
    ),
    "orgMembers": frozenset(
        {
            "ORG_OWNER",
            "ORG_OWNER_VIEWER",
            "ORG_USER_MANAGER",
            "ORG_SETTINGS_MANAGER",
            "ORG_USER_PERMISSION_EDITOR",
            "ORG_PROJECT_PERMISSION_EDITOR",
            "ORG_PROJECT_CREATOR",
            "ORG_USER_SELF_MANAGER",
            "ORG_END_USER_IMPERSONATOR",
        }
    ),
    "projectMembers": frozenset({"PROJECT_OWNER", "PROJECT_OWNER_VIEWER"}),
    "projectGrantMembers": frozenset({"PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"}),
}
"""The roles that exist in both systems, by the list of the export."""


class _Row(Record, frozen=True):
    user_id: str
    roles: list[str] = []
    project_id: str = ""
    grant_id: str = ""


class _Found(NamedTuple):
    place: Place
    kind: str
    draft: Draft
    row: _Row


class Members:
    """The members of all organizations: a user of one can be a member of another."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._found: dict[tuple[str, str, str], _Found] = {}

    def add(self, draft: Draft, kind: str, rows: Sequence[tuple[Place, Any]]) -> None:
        for place, value in rows:
            if row := read_record(value, _Row, place, self._findings):
                # Each organization of an export repeats the members of all projects.
                scope = row.grant_id or row.project_id or draft.id
                self._found.setdefault((kind, scope, row.user_id), _Found(place, kind, draft, row))

    @property
    def user_ids(self) -> frozenset[str]:
        return frozenset(one.row.user_id for one in self._found.values())

    def count(self) -> None:
        """Reports them for a document without members."""
        for _ in self._found:
            self._findings.counted(LATER)

    def put(self, drafts: Collection[Draft], users: Collection[str]) -> None:
        """Writes the members into their drafts. `users` are the ids of users who can be imported."""
        projects = {project.id: project for draft in drafts for project in draft.projects}
        for one in self._found.values():
            name, roles = f"member {one.row.user_id}", ", ".join(one.row.roles)
            if one.row.user_id not in users:
                self._findings.not_moved(one.place, name, NO_USER, roles)
            elif (member := self._member(one, name)) and not _put(one, member, projects):
                self._findings.not_moved(one.place, name, NO_PLACE, roles)

    def _member(self, one: _Found, name: str) -> Member | None:
        known = tuple(role for role in one.row.roles if role in ROLES[one.kind])
        for role in one.row.roles:
            if role not in known:
                self._findings.not_moved(one.place, name, NO_ROLE, role)
        return Member(user=one.row.user_id, roles=known) if known else None


def _put(one: _Found, member: Member, projects: Mapping[str, ProjectDraft]) -> bool:
    if one.kind in (INSTANCE, "orgMembers"):
        one.draft.members.append(member)
        return True
    project = projects.get(one.row.project_id)
    if project is None:
        return False
    if one.kind == "projectMembers":
        project.members.append(member)
        return True
    for number, grant in enumerate(project.grants):
        if grant.id == one.row.grant_id:
            project.grants[number] = msgspec.structs.replace(grant, members=(*(grant.members or ()), member))
            return True
    return False
