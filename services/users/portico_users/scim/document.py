from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.apply import ScimConnection as WantedConnection

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedOrg
from portico_users.documents.step import Step, Subject, step_of
from portico_users.scim.commands import AddScimConnection, UpdateScimConnection
from portico_users.scim.connection import CONNECTION_FIELDS, MongoScimConnections, ScimConnection
from portico_users.storage.schema import IdSpace
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import below
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class ScimPlanner:
    ids: IdSpace
    connections: MongoScimConnections
    add_connection: AddScimConnection
    update_connection: UpdateScimConnection

    async def plan_connections(self, plan: Plan, home: PlannedOrg) -> None:
        place, new = f"{home.path}.scimConnections", 0
        for number, wanted in enumerate(home.wanted.scim_connections or ()):
            after, step = await self._plan_connection(plan, home.org.id, wanted, f"{place}[{number}]")
            new += step.change.action == "created"
            plan.add(after, step)
        if wanted_ones := home.wanted.scim_connections:
            with below(place):
                if plan.prune:
                    self.add_connection.refuse_more(len(wanted_ones))
                else:
                    await self.add_connection.refuse_too_many(home.org.id, new)

    async def _plan_connection(
        self, plan: Plan, org_id: str, wanted: WantedConnection, path: str
    ) -> tuple[ScimConnection, Step]:
        named = await self.connections.find_by_name(org_id, wanted.name)

        def fits(connection: ScimConnection) -> bool:
            return connection.org_id == org_id and connection.state is not State.DELETED

        before = await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.connections.find, named))
        connection = before or ScimConnection(id=wanted.id or await plan.new_id(path), org_id=org_id, name="")
        after = CONNECTION_FIELDS.changed(connection, DeclaredValues(wanted))
        subject = Subject("scim_connection", path, after.name)
        with below(path):
            if before is not None:
                entry = self.update_connection.plan(before, after)
                return entry.after, step_of(subject, entry)
            planned = self.add_connection.plan(after)
        return planned.entry.after, step_of(subject, planned.entry, secret=planned.secret.text)
