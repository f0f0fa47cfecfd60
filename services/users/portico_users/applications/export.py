from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from portico_contracts.apply import ApiApp, Key, Member, OidcApp, Project, ProjectGrant
from portico_contracts.users import KEY_METHODS, ClientKind
from portico_runtime.process.clock import Clock

from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.applications.app_record import API_APP, OIDC_APP, App
from portico_users.applications.client_keys.assertion_keys import AssertionKey, pem_of
from portico_users.applications.store import REGISTERED, MongoApps
from portico_users.documents.written import MOST, Notes, listed, state_of
from portico_users.projects.project import PROJECT_FIELDS, ROLE_FIELDS
from portico_users.projects.project import Project as ProjectRecord
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import NOT_DELETED
from portico_users.values.fields import Fields
from portico_users.values.records import State
from portico_users.values.timestamps import rfc_3339

AnyApp = TypeVar("AnyApp", ApiApp, OidcApp)


@dataclass(frozen=True, slots=True)
class ClientExport:
    projects: MongoProjects
    members: MongoMembers
    accounts: MongoAccounts
    apps: MongoApps
    clock: Clock
    project_grants: MongoProjectGrants

    async def projects_of(self, org_id: str, notes: Notes) -> tuple[Project, ...]:
        found = await self.projects.list_where({"orgId": org_id, **NOT_DELETED}, MOST, order=("nameKey",))
        return tuple([await self._project(project, notes) for project in found])

    async def members_of(self, scope_id: str, *, without_org: str = "") -> tuple[Member, ...]:
        found = await self.members.list_where({"scopeId": scope_id, **NOT_DELETED}, MOST, order=("userId",))
        users = await self.accounts.map_ids(member.user_id for member in found)
        members = []
        for member in found:
            user = users.get(member.user_id)
            if member.roles and user and user.state is not State.DELETED and user.org_id != without_org:
                members.append(Member(user=user.id, roles=member.roles))
        return tuple(members)

    async def _project(self, project: ProjectRecord, notes: Notes) -> Project:
        question = {"projectId": project.id, **NOT_DELETED, **REGISTERED}
        apps, members, grants = await asyncio.gather(
            self.apps.list_where(question, MOST, order=("nameKey",)),
            self.members_of(project.id),
            self._grants(project.id),
        )
        now = self.clock.now()
        for app in apps:
            notes.sequences[app.id] = app.sequence
            if app.secret_hash:
                notes.add(
                    app.id, "clientSecret is not exported. Applied to a new installation, one is generated and shown."
                )
        return PROJECT_FIELDS.document(
            project,
            id=project.id,
            roles=listed(ROLE_FIELDS.document(role) for role in project.roles),
            oidc_apps=listed(_declared(OIDC_APP, app, now, notes) for app in apps if app.kind is ClientKind.OIDC),
            api_apps=listed(_declared(API_APP, app, now, notes) for app in apps if app.kind is ClientKind.API),
            members=members or None,
            grants=grants or None,
        )

    async def _grants(self, project_id: str) -> tuple[ProjectGrant, ...]:
        found = await self.project_grants.list_where(
            {"projectId": project_id, **NOT_DELETED}, MOST, order=("created", "_id")
        )
        return tuple(
            [
                ProjectGrant(
                    organization=grant.granted_org_id,
                    id=grant.id,
                    role_keys=grant.role_keys,
                    members=await self.members_of(grant.id) or None,
                    state=state_of(grant),
                )
                for grant in found
            ]
        )


def keys_of(owner_id: str, keys: Sequence[AssertionKey], now: float, notes: Notes) -> tuple[Key, ...] | None:
    good = [key for key in keys if key.expires_at == 0 or now < key.expires_at]
    if len(good) < len(keys):
        notes.add(owner_id, "Expired keys are not exported.")
    return listed(
        Key(id=key.kid, public_key=pem_of(key), expiration_date=rfc_3339(key.expires_at) if key.expires_at else "")
        for key in good
    )


def _declared(fields: Fields[App, AnyApp], app: App, now: float, notes: Notes) -> AnyApp:
    keys = keys_of(app.id, app.keys, now, notes) if app.auth_method in KEY_METHODS else None
    return fields.document(app, id=app.id, keys=keys)
