from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_users.applications.app_record import App
from portico_users.applications.store import APPS
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import IDPS
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import ORGS, Org
from portico_users.projects.project import Project
from portico_users.projects.project_grants import PROJECT_GRANTS, ProjectGrant
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import Entry, Table
from portico_users.values.records import AnyRecord, deactivated, reactivated

_TABLES: Final[Mapping[type, Table[Any]]] = {
    App: APPS,
    Idp: IDPS,
    Org: ORGS,
    Project: PROJECTS,
    ProjectGrant: PROJECT_GRANTS,
}


@dataclass(frozen=True, slots=True)
class Deactivate(Command):
    commit: Commit

    async def __call__(self, before: AnyRecord, *, actor: str) -> AnyRecord:
        return await self.commit(Entry(_TABLES[type(before)], before, deactivated(before)), actor=actor)


@dataclass(frozen=True, slots=True)
class Reactivate(Command):
    commit: Commit

    async def __call__(self, before: AnyRecord, *, actor: str) -> AnyRecord:
        return await self.commit(Entry(_TABLES[type(before)], before, reactivated(before)), actor=actor)
