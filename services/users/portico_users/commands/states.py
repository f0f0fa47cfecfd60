from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_users.commands.command import Command, Commit
from portico_users.kernel.entry import Entry, Table
from portico_users.kernel.records import AnyRecord, deactivated, reactivated
from portico_users.resources.apps.app_record import App
from portico_users.resources.apps.store import APPS
from portico_users.resources.grants.project_grants import PROJECT_GRANTS, ProjectGrant
from portico_users.resources.identity_providers.idp import Idp
from portico_users.resources.identity_providers.store import IDPS
from portico_users.resources.organizations.org import ORGS, Org
from portico_users.resources.projects.project import Project
from portico_users.resources.projects.store import PROJECTS

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
