"""Lists what is lost when an object is deleted or reduced, for the operator to confirm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_contracts.users import CascadedDeletion

from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import Member, MongoMembers
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.documents.step import Step
from portico_users.groups.group import Group, MongoGroups
from portico_users.identity_providers.idp import Idp
from portico_users.projects.project import Project
from portico_users.projects.project_grants import MongoProjectGrants, ProjectGrant
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.storage.reader import Reader
from portico_users.values.records import AnyRecord, Record, State

MOST_NAMES: Final = 10
"""Limit of names in the list; the count covers all."""

INSIDE: Final[Mapping[str, tuple[str, Callable[[Any], str]]]] = {
    "domains": ("domain", lambda one: str(one.name)),
    "keys": ("key", lambda one: str(one.kid)),
    "personal_tokens": ("personal token", lambda one: str(one.id)),
    "metadata": ("metadata entry", lambda one: str(one.key)),
    "idp_links": ("link to an identity provider", lambda one: f"{one.user_name or one.user_id} at {one.idp_id}"),
    "groups": ("group", lambda one: str(one.name)),
    "security_keys": ("passkey", lambda one: str(one.name or one.id)),
}


@dataclass(frozen=True, slots=True)
class Losses:
    accounts: MongoAccounts
    project_grants: MongoProjectGrants
    apps: MongoApps
    members: MongoMembers
    groups: MongoGroups

    async def along_of(self, step: Step) -> tuple[CascadedDeletion, ...]:
        if not step.entries:
            return ()
        before, after = step.entries[0].before, step.entries[0].after
        found: list[CascadedDeletion] = []
        if before is not None:
            found += _lost_inside(before, after)
            found += await self._lost_elsewhere(before, after)
        pairs = [(entry.before, entry.after) for entry in step.entries[1:]]
        members = [
            one for one, left in pairs if isinstance(one, Member) and isinstance(left, Member) and not left.roles
        ]
        found.append(_named("membership", [f"{' '.join(one.roles)} in {one.scope_id}" for one in members if one.roles]))
        return tuple(one for one in found if one.count)

    async def _lost_elsewhere(self, before: Record, after: Record) -> list[CascadedDeletion]:
        is_removed = after.state is State.DELETED
        if isinstance(before, Project) and isinstance(after, Project):
            return await self._with_project(before, None if is_removed else _lost_roles(before, after))
        if isinstance(before, ProjectGrant) and isinstance(after, ProjectGrant):
            roles = None if is_removed else set(before.role_keys) - set(after.role_keys)
            return await self._with_project_grant(before, roles)
        if isinstance(before, Idp) and is_removed:
            return [await _count(self.accounts, "linked user", {"idpLinks.idpId": before.id}, "user_name")]
        if isinstance(before, Group) and is_removed:
            inside = (await self.groups.list_inside((before.id,))).get(before.id, ())
            members = {"groups.id": {"$in": [before.id, *inside]}}
            return [await _count(self.accounts, "member of the group", members, "user_name")]
        return []

    async def _with_project(self, project: Project, roles: set[str] | None) -> list[CascadedDeletion]:
        of_project: Document = {"projectId": project.id}
        having: Document = {"projectId": project.id}
        if roles is not None:
            if not roles:
                return []
            having["roleKeys"] = {"$in": sorted(roles)}
            of_project["roleKeys"] = {"$in": sorted(roles)}
        users = await _count(
            self.accounts, "user with a role of the project", {"grants": {"$elemMatch": having}}, "user_name"
        )
        grants = await _count(self.project_grants, "project grant", of_project, "granted_org_id")
        if roles is not None:
            return [users, grants]
        apps: Reader[App] = self.apps
        return [
            await _count(apps, "application", of_project, "name"),
            grants,
            await _count(self.members, "member", {"scopeId": project.id}, "user_id"),
            users,
        ]

    async def _with_project_grant(self, grant: ProjectGrant, roles: set[str] | None) -> list[CascadedDeletion]:
        having: Document = {"projectGrantId": grant.id}
        if roles is not None:
            if not roles:
                return []
            having["roleKeys"] = {"$in": sorted(roles)}
        users = await _count(
            self.accounts, "user with a role from the grant", {"grants": {"$elemMatch": having}}, "user_name"
        )
        if roles is not None:
            return [users]
        return [await _count(self.members, "member", {"scopeId": grant.id}, "user_id"), users]


def _lost_inside(before: Record, after: Record) -> list[CascadedDeletion]:
    is_removed = after.state is State.DELETED
    found = []
    for member, (kind, name) in INSIDE.items():
        left = set() if is_removed else {name(one) for one in getattr(after, member, ())}
        found.append(_named(kind, [name(one) for one in getattr(before, member, ()) if name(one) not in left]))
    found.append(_named("role of a project", _gone(_granted(before), set() if is_removed else set(_granted(after)))))
    if isinstance(before, Project) and isinstance(after, Project):
        found.append(_named("role", sorted(_lost_roles(before, after))))
    factors = [
        word for word in ("has_password", "has_totp", "has_otp_email", "has_otp_sms") if getattr(before, word, False)
    ]
    if is_removed:
        words = {"has_password": "password", "has_totp": "authenticator app", "has_otp_email": "codes by email"}
        words["has_otp_sms"] = "codes by text message"
        found.append(_named("credential", [words[word] for word in factors]))
        found.append(CascadedDeletion(kind="recovery code", count=getattr(before, "recovery_codes", 0)))
    return found


def _granted(record: Record) -> list[str]:
    if isinstance(record, ProjectGrant):
        return []
    return [f"{key} in {grant.project_id}" for grant in getattr(record, "grants", ()) for key in grant.role_keys]


def _gone(names: list[str], left: set[str]) -> list[str]:
    return [name for name in names if name not in left]


def _lost_roles(before: Project, after: Project) -> set[str]:
    known = {role.key for role in before.roles}
    return known if after.state is State.DELETED else known - {role.key for role in after.roles}


async def _count(reader: Reader[AnyRecord], kind: str, question: Document, name: str) -> CascadedDeletion:
    there = {**question, **NOT_DELETED}
    count = await reader.count_where(there)
    first = await reader.list_where(there, MOST_NAMES, order=("_id",)) if count else []
    return CascadedDeletion(kind=kind, count=count, names=tuple(str(getattr(one, name)) for one in first))


def _named(kind: str, names: list[str]) -> CascadedDeletion:
    return CascadedDeletion(kind=kind, count=len(names), names=tuple(names[:MOST_NAMES]))
