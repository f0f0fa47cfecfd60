from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.apply import ApiApp, OidcApp
from portico_contracts.users import AuthMethod, ClientKind

from portico_users.applications.app_record import API_APP, OIDC_APP, App
from portico_users.applications.edit_apps import AddApp, UpdateApp
from portico_users.applications.store import RESOURCE_TAKEN, MongoApps
from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan
from portico_users.documents.step import Step, Subject, step_of
from portico_users.projects.project import Project
from portico_users.service_users.document import wanted_keys
from portico_users.storage.schema import IdSpace
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import at, below
from portico_users.values.records import State

AnyApp = OidcApp | ApiApp


@dataclass(frozen=True, slots=True)
class AppPlanner:
    add_app: AddApp
    update_app: UpdateApp
    apps: MongoApps
    ids: IdSpace

    async def plan_app(self, plan: Plan, project: Project, wanted: AnyApp, path: str) -> tuple[App, Step]:
        before = await self._find_app(project, wanted, path)
        fields = OIDC_APP if isinstance(wanted, OidcApp) else API_APP
        source = DeclaredValues(wanted, optional_only=plan.keeps(before))
        app = fields.changed(before or await _new_app(plan, project, wanted, path), source)
        await self._refuse_stored_resource(plan, before, app, path)
        keys, secret = wanted_keys(wanted.keys, path, exact=plan.prune), wanted.client_secret or ""
        beside = [home.org for home in plan.orgs]
        with below(path):
            if before is None:
                planned = await self.add_app.plan(app, beside=beside, keys=keys, secret=secret, project=project)
            else:
                planned = await self.update_app.plan(
                    before, app, beside=beside, keys=keys, secret=secret, project=project
                )
        step = step_of(Subject("app", path, app.name), planned.entry, secret=planned.secret)
        return planned.entry.after, step

    async def _refuse_stored_resource(self, plan: Plan, before: App | None, app: App, path: str) -> None:
        """Refuses resources of other organizations, and of applications that are not changed before."""
        known = before.resources if before else ()
        for number, uri in enumerate(app.resources):
            holder = None if uri in known else await self.apps.find_by_resource(uri)
            if holder and (plan.leaves(holder, app.id) or holder.org_id != app.org_id):
                raise at(f"{path}.resources[{number}]", RESOURCE_TAKEN.error())

    async def _find_app(self, project: Project, wanted: AnyApp, path: str) -> App | None:
        kind = _kind_of(wanted)
        named = await self.apps.find_by_name(project.id, wanted.name)

        def fits(app: App) -> bool:
            return app.project_id == project.id and app.kind is kind and app.state is not State.DELETED

        return await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.apps.find, named))


async def _new_app(plan: Plan, project: Project, wanted: AnyApp, path: str) -> App:
    return App(
        id=wanted.id or wanted.client_id or await plan.new_id(path),
        org_id=project.org_id,
        project_id=project.id,
        name=wanted.name,
        client_id="",
        auth_method=AuthMethod.CLIENT_SECRET_BASIC,
        kind=_kind_of(wanted),
    )


def _kind_of(wanted: AnyApp) -> ClientKind:
    return ClientKind.OIDC if isinstance(wanted, OidcApp) else ClientKind.API
