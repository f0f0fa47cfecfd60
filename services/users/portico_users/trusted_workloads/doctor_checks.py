from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import PublicKey
from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.identity_providers.federation.provider_calls import ProviderClient
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import Document
from portico_users.storage.schema import EVENTS
from portico_users.trusted_workloads.issuer_keys import IssuerKeySets
from portico_users.trusted_workloads.key_sets import read_public_keys
from portico_users.trusted_workloads.workload import TrustedWorkload
from portico_users.values.records import State

OLD_DAYS: Final = 90

_MOST: Final = 50
_DAY: Final = 86_400.0
_PASTED: Final[Document] = {"trustedWorkloads.keySet": {"$gt": ""}, "state": State.ACTIVE.value}
_AGAIN: Final = "Paste the keys of its jwks_uri again, each time when it changes them."
_NONE: Final = "Remove keySet, so that its keys are fetched."
_REFUSED: Final = "When the issuer signs with a key that was not pasted, all its tokens are refused."


class _Pasted(NamedTuple):
    """A trusted workload with pasted keys, and the record that has it."""

    owner: App | ServiceUser
    workload: TrustedWorkload

    def __str__(self) -> str:
        return f"{self.owner.name} ({self.owner.id}) trusts {self.workload.name} with pasted keys"


@dataclass(frozen=True, slots=True)
class PastedKeys:
    """Pasted keys of issuers, which do not rotate: their age, and whether the issuer publishes others."""

    database: Database
    client: ProviderClient
    clock: Clock

    async def check(self) -> AsyncIterator[Finding]:
        """Yields a warning for each trusted workload with pasted keys, 50 records of each kind at most."""
        key_sets = IssuerKeySets(self.client, self.clock)
        published: dict[str, tuple[PublicKey, ...]] = {}
        for pasted in await self._list():
            issuer = pasted.workload.issuer
            if issuer not in published:  # an issuer that does not respond is not waited for again
                published[issuer] = await key_sets.find(issuer, "", pasted.owner.org_id)
            yield _compared(pasted, published[issuer]) if published[issuer] else await self._aged(pasted)

    async def _list(self) -> list[_Pasted]:
        apps = await MongoApps(self.database).list_where(_PASTED, _MOST)
        users = await MongoAccounts(self.database).list_where(_PASTED, _MOST)
        owners: list[App | ServiceUser] = [*apps, *(user for user in users if isinstance(user, ServiceUser))]
        return [_Pasted(owner, one) for owner in owners for one in owner.trusted_workloads if one.key_set]

    async def _aged(self, pasted: _Pasted) -> Finding:
        days = int((self.clock.now() - await self._since(pasted)) // _DAY)
        age = f", which are {days} days old" if days >= OLD_DAYS else ", which do not rotate"
        return _warning(pasted, f"{age}; its issuer cannot be reached", _AGAIN)

    async def _since(self, pasted: _Pasted) -> float:
        """When these keys were first stored with the record."""
        question = {"object": pasted.owner.id, "values.trustedWorkloads.keySet": pasted.workload.key_set}
        async with guarded():
            event = await self.database[EVENTS].find_one(question, {"at": 1}, sort=[("at", 1)])
        return float(event["at"]) if event else pasted.owner.changed


def _compared(pasted: _Pasted, published: tuple[PublicKey, ...]) -> Finding:
    known = read_public_keys(json.loads(pasted.workload.key_set))
    missing = [key.kid for key in published if key not in known]
    if not missing:
        return _warning(pasted, ", although its issuer can be reached", _NONE)
    return _warning(pasted, f", and its issuer publishes others: {', '.join(missing)}", f"{_NONE} Or: {_AGAIN}")


def _warning(pasted: _Pasted, what: str, fix: str) -> Finding:
    return Finding("workloads", "warning", f"{pasted}{what}", fix, _REFUSED)
