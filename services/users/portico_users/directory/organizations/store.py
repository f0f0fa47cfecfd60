"""Organizations in MongoDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from portico_contracts.events import ORG_CHANGED
from portico_runtime.mongo import Database
from pymongo import ASCENDING, IndexModel

from portico_users.directory.organizations.domains import DOMAIN_TAKEN
from portico_users.directory.organizations.org import Org
from portico_users.kernel.entry import Document, Table
from portico_users.kernel.gathering import Gathering
from portico_users.kernel.names import canonical
from portico_users.kernel.reader import Reader
from portico_users.kernel.records import State


def _keys(org: Org) -> Document:
    primary = canonical(org.primary_domain)
    further = [canonical(domain.name) for domain in org.domains if domain.verified]
    return {"nameKey": canonical(org.name), "domainKey": primary, "domainKeys": [primary, *further]}


_LEANING: Final = (
    IndexModel(
        [("loginRules.forceMfa", ASCENDING), ("loginRules.secondFactors", ASCENDING)],
        partialFilterExpression={"loginRules.forceMfa": True},
    ),
    IndexModel([("loginRules.secondFactors", ASCENDING)], partialFilterExpression={"loginRules.secondFactors": []}),
    IndexModel([("loginRules.multiFactors", ASCENDING)], partialFilterExpression={"loginRules.multiFactors": []}),
)
"""For `login_ties`: organizations that require a factor, and that allow none of a kind. Most are in neither index."""

ORGS: Final[Table[Org]] = Table(
    "orgs",
    Org,
    ORG_CHANGED,
    _keys,
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("nameKey", ASCENDING), ("_id", ASCENDING)]),
        IndexModel([("domainKey", ASCENDING)], unique=True),
        IndexModel([("domainKeys", ASCENDING)], unique=True, partialFilterExpression={"domainKeys": {"$exists": True}}),
        IndexModel([("state", ASCENDING), ("created", ASCENDING), ("_id", ASCENDING)]),
        *_LEANING,
    ),
    duplicates={"domainKey": DOMAIN_TAKEN, "domainKeys": DOMAIN_TAKEN},
)


class MongoOrgs(Reader[Org]):
    """Finds organizations."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, ORGS)
        self._by_domain: Gathering[str, Org] = Gathering(self._read_domains)

    async def find_by_name(self, name: str) -> Org | None:
        """The organization of a name, in any spelling."""
        return await self.find_where({"nameKey": canonical(name)})

    async def find_by_domain(self, domain: str) -> Org | None:
        """The organization whose primary domain this is, or another one it has proven to be its own."""
        return await self._by_domain.find(canonical(domain))

    async def find_oldest(self) -> Org | None:
        """The active organization that was there first."""
        found = await self.list_where({"state": State.ACTIVE.value}, 1, order=("created", "_id"))
        return found[0] if found else None

    async def _read_domains(self, keys: Sequence[str]) -> Mapping[str, Org]:
        return await self.map_where(("domainKey", "domainKeys"), keys)
