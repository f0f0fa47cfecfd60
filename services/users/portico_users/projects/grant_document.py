from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedGrant, PlannedProject
from portico_users.documents.step import Step, Subject, step_of
from portico_users.organizations.org import Org
from portico_users.projects.commands import AddProjectGrant, UpdateProjectGrant
from portico_users.projects.project import Project
from portico_users.projects.project_grants import PROJECT_GRANT_NOT_FOUND, MongoProjectGrants, OfProject, ProjectGrant
from portico_users.storage.entry import Entry
from portico_users.storage.schema import IdSpace
from portico_users.values.names import canonical
from portico_users.values.problems import NAME_TAKEN, at, below
from portico_users.values.records import AnyRecord, State


def add_in_steps(plan: Plan, subject: Subject, entry: Entry[AnyRecord], wider: AnyRecord, last: list[Step]) -> None:
    """Adds one step, or two: revoking roles comes last.

    Users lose a revoked role in the same transaction (`accounts.constraints`), so that steps planned for
    users would find them changed. In between, users of the document can be granted new roles and give up
    revoked ones.
    """
    before, after = entry.before, entry.after
    if before is None or wider == after:
        plan.add(after, step_of(subject, entry))
        return
    plan.kept.add(after.id)
    sequence = before.sequence
    if wider != before:
        plan.steps.append(step_of(subject, dataclasses.replace(entry, after=wider)))
        sequence += 1
    between = msgspec.structs.replace(wider, sequence=sequence)
    after = msgspec.structs.replace(after, sequence=sequence)
    last.append(step_of(subject, dataclasses.replace(entry, before=between, after=after)))


GRANTED_UNKNOWN = ErrorCode(
    "USER-875", Kind.NOT_FOUND, "Organization not found.", "Use the id or name of the organization."
)


@dataclass(frozen=True, slots=True)
class ProjectGrantPlanner:
    project_grants: MongoProjectGrants
    ids: IdSpace
    add_project_grant: AddProjectGrant
    update_project_grant: UpdateProjectGrant

    async def plan_project_grants(self, plan: Plan, planned: PlannedProject) -> None:
        for number, wanted in enumerate(planned.wanted.grants or ()):
            path = f"{planned.path}.grants[{number}]"
            org = await plan.find_org(wanted.organization)
            if org is None or org.state is State.DELETED:
                raise at(f"{path}.organization", GRANTED_UNKNOWN.error())
            if any(
                one.grant.project_id == planned.project.id and one.grant.granted_org_id == org.id for one in plan.grants
            ):
                raise at(f"{path}.organization", NAME_TAKEN.error())
            await self._plan_grant(plan, planned, org, wanted, path)

    async def _plan_grant(
        self, plan: Plan, planned: PlannedProject, org: Org, wanted: document.ProjectGrant, path: str
    ) -> None:
        project = planned.project

        def fits(grant: ProjectGrant) -> bool:
            return (grant.project_id, grant.granted_org_id) == (project.id, org.id) and grant.state is not State.DELETED

        named = await self.project_grants.find_of(project.id, org.id)
        question = Wanted(path, wanted.id, "organization", fits, self.project_grants.find, named)
        before = await find_existing(self.ids, question)
        after = msgspec.structs.replace(
            before
            or ProjectGrant(
                id=wanted.id or await plan.new_id(path),
                org_id=project.org_id,
                project_id=project.id,
                granted_org_id=org.id,
            ),
            role_keys=wanted.role_keys,
        )
        if wanted.state is not None:
            after = msgspec.structs.replace(after, state=State(wanted.state.value))
        with below(path):
            if before is None:
                entry = self.add_project_grant.plan(after, project)
            else:
                entry = self.update_project_grant.plan(before, after, project)
        keys = sorted({*entry.after.role_keys, *(before.role_keys if before else ())})
        wider = msgspec.structs.replace(entry.after, role_keys=tuple(keys))
        subject = Subject("project_grant", path, f"{project.name} to {org.name}")
        add_in_steps(plan, subject, entry, wider, plan.narrowed_grants)
        plan.grants.append(PlannedGrant(entry.after, wanted, path))

    async def find_received(self, plan: Plan, org: Org, wanted: document.RoleGrant, place: str) -> OfProject:
        planned = {one.grant.id: one.grant for one in plan.grants}
        grant = planned.get(wanted.project_grant) or await self.project_grants.find(wanted.project_grant)
        if grant is None and (owner := await plan.find_org(wanted.project_grant)):
            project = await plan.find_project(owner, wanted.project)
            by_place = {(one.project_id, one.granted_org_id): one for one in planned.values()}
            if project is not None:
                grant = by_place.get((project.id, org.id)) or await self.project_grants.find_of(project.id, org.id)
        project = await _project_of(plan, org, grant, wanted.project) if grant else None
        if grant is None or project is None:
            raise at(f"{place}.projectGrant", PROJECT_GRANT_NOT_FOUND.error())
        return OfProject(grant, project)


async def _project_of(plan: Plan, org: Org, grant: ProjectGrant, named: str) -> Project | None:
    owner = await plan.find_org(grant.org_id)
    project = await plan.find_project(owner, grant.project_id) if owner else None
    if project is None or project.state is State.DELETED or grant.state is State.DELETED:
        return None
    is_meant = named == project.id or canonical(named) == canonical(project.name)
    return project if is_meant and grant.granted_org_id == org.id else None
