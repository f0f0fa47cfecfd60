"""The use of trusted workloads: when each was last used, and an event that marks that its token may be used again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from portico_contracts.activities.sign_ins import SIGN_INS, SIGNED_IN_BY_WORKLOAD
from portico_contracts.users import SecretUsed, WorkloadUsed, secret_name
from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.client_keys.secret_uses import SecretUses
from portico_users.applications.store import MongoApps
from portico_users.audit.sign_ins.rows import HOUR, Happened, counted
from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENTS
from portico_users.values.operator_settings import SignInLogSeconds


@dataclass(frozen=True, slots=True)
class WorkloadUses:
    """Written from reports of token, outside of any request: one row an hour for each trusted workload."""

    database: Database
    secret_uses: SecretUses
    accounts: MongoAccounts
    apps: MongoApps
    retention: SignInLogSeconds

    async def note(self, used: WorkloadUsed) -> None:
        """Stores the time, and the event. Raises `unavailable`."""
        happened = await self._happened(used)
        if happened is None:
            return
        name = secret_name(_key(used.workload))
        await self.secret_uses.note(SecretUsed(client_id=used.client_id, name=name, at=used.at))
        row = counted(happened, 1, HOUR, (used.client_id, used.workload), used.at + self.retention)
        async with guarded():
            await self.database[EVENTS].bulk_write([row])

    async def last_uses(self, client_id: str, names: Collection[str]) -> Mapping[str, float]:
        """Returns unix seconds by name, without those that were not used. Raises `unavailable`."""
        found = await self.secret_uses.last_uses(client_id, [_key(name) for name in names])
        return {name: found[_key(name)] for name in names if _key(name) in found}

    async def _happened(self, used: WorkloadUsed) -> Happened | None:
        values: Document = {"workload": used.workload, "issuer": used.issuer, "clientId": used.client_id}
        user = await self.accounts.find_service_user(used.client_id)
        if user is not None:
            return Happened(
                SIGN_INS, SIGNED_IN_BY_WORKLOAD, user.org_id, user.id, used.at, {**values, "userId": user.id}
            )
        app = await self.apps.find_by_client_id(used.client_id)
        if app is None:
            return None
        return Happened(SIGN_INS, SIGNED_IN_BY_WORKLOAD, app.org_id, "", used.at, {**values, "appId": app.id})


def _key(workload: str) -> str:
    return f"trusted workload {workload}"
