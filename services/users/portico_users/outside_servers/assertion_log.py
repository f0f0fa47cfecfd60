"""The event log of assertions: which application got them about whom, for which server."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.activities.sign_ins import ASSERTED, ASSERTIONS
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.applications.app_record import App
from portico_users.audit.sign_ins.rows import HOUR, Happened, counted
from portico_users.end_users.end_user import EndUser
from portico_users.outside_servers.server import OutsideServer
from portico_users.storage.schema import EVENTS
from portico_users.values.operator_settings import SignInLogSeconds


@dataclass(frozen=True, slots=True)
class AssertionLog:
    """One event an hour for a user, an application, a server and a scope, with their number: each lasts five minutes."""

    database: Database
    clock: Clock
    retention: SignInLogSeconds

    async def note(self, user: EndUser, app: App, server: OutsideServer, scope: tuple[str, ...]) -> None:
        """Stores the event before token signs. Raises `unavailable`."""
        words, now = " ".join(scope), self.clock.now()
        values = {"userId": user.id, "appId": app.id, "serverId": server.id, "scope": words}
        happened = Happened(ASSERTIONS, ASSERTED, user.org_id, user.id, now, values)
        row = counted(happened, 1, HOUR, (app.client_id, server.id, words), now + self.retention)
        async with guarded():
            await self.database[EVENTS].bulk_write([row])
