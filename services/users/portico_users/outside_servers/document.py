from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.apply import OutsideServer as WantedServer

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedOrg
from portico_users.documents.step import Step, Subject, step_of
from portico_users.groups.group import GROUP_NOT_FOUND
from portico_users.outside_servers.commands import AddOutsideServer, UpdateOutsideServer
from portico_users.outside_servers.server import OUTSIDE_SERVER_FIELDS, MongoOutsideServers, OutsideServer
from portico_users.storage.schema import IdSpace
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import at, below
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class OutsideServerPlanner:
    ids: IdSpace
    servers: MongoOutsideServers
    add: AddOutsideServer
    update: UpdateOutsideServer

    async def plan_servers(self, plan: Plan, home: PlannedOrg) -> None:
        place, new = f"{home.path}.outsideServers", 0
        for number, wanted in enumerate(home.wanted.outside_servers or ()):
            after, step = await self._plan_server(plan, home, wanted, f"{place}[{number}]")
            new += step.change.action == "created"
            plan.add(after, step)
        if wanted_ones := home.wanted.outside_servers:
            with below(place):
                if plan.prune:
                    self.add.refuse_more(len(wanted_ones))
                else:
                    await self.add.refuse_too_many(home.org.id, new)

    async def _plan_server(
        self, plan: Plan, home: PlannedOrg, wanted: WantedServer, path: str
    ) -> tuple[OutsideServer, Step]:
        org_id = home.org.id
        named = await self.servers.find_by_name(org_id, wanted.name)

        def fits(server: OutsideServer) -> bool:
            return server.org_id == org_id and server.state is not State.DELETED

        before = await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.servers.find, named))
        id = before.id if before else wanted.id or await plan.new_id(path)
        base = before or OutsideServer(id=id, org_id=org_id, name="", issuer="")
        groups = await self._groups(plan, home, wanted, path)
        after = OUTSIDE_SERVER_FIELDS.changed(base, DeclaredValues(msgspec.structs.replace(wanted, groups=groups)))
        with below(path):
            entry = self.add.plan(after) if before is None else self.update.plan(before, after)
        return entry.after, step_of(Subject("outside_server", path, after.name), entry)

    async def _groups(self, plan: Plan, home: PlannedOrg, wanted: WantedServer, path: str) -> tuple[str, ...]:
        """The ids of groups that the document names, of which some may be new."""
        found = []
        for number, named in enumerate(wanted.groups):
            group = await plan.find_group(home.org, named)
            if group is None:
                raise at(f"{path}.groups[{number}]", GROUP_NOT_FOUND.error())
            found.append(group.id)
        return tuple(dict.fromkeys(found))
