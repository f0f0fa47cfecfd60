from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from portico_contracts.events import IDP_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from pymongo import ASCENDING, IndexModel

from portico_users.identity_providers.idp import Idp
from portico_users.storage.entry import Document, Table
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import INSTANCE, MAX_LENGTH, canonical
from portico_users.values.records import State, name_key

IDP_NOT_FOUND = ErrorCode(
    "USER-318", Kind.NOT_FOUND, "Identity provider not found.", "Check the id of the identity provider."
)

MOST_OF_ISSUER: Final = 20
"""Providers with the same issuer that are looked at for one assertion: organizations share few."""


def _keys(idp: Idp) -> Document:
    return {"nameKey": name_key(idp, idp.name)}


IDPS: Final[Table[Idp]] = Table(
    "idps",
    Idp,
    IDP_CHANGED,
    _keys,
    private=frozenset({"sealedSecret"}),
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        *listing_indexes("created", "nameKey", owners=("orgId",)),
        IndexModel([("assertions.rules.clientId", ASCENDING)], sparse=True),
    ),
)


def usable(idp: Idp | None, org_id: str) -> Idp | None:
    """The provider, unless it is removed or of another organization."""
    if idp is None or idp.state is State.DELETED or idp.org_id not in (org_id, INSTANCE):
        return None
    return idp


class MongoIdps(Reader[Idp]):
    """Finds identity providers; removed ones only with `find`."""

    table = IDPS

    async def find_usable(self, id: str, org_id: str) -> Idp | None:
        """Finds a provider of the organization or of the instance, also an inactive one."""
        return usable(await self.find(id[: MAX_LENGTH + 1]), org_id)

    async def find_owned(self, id: str, owner_id: str) -> Idp | None:
        """Finds a provider by owner: an organization or the instance."""
        idp = await self.find(id[: MAX_LENGTH + 1])
        return idp if idp and idp.org_id == owner_id and idp.state is not State.DELETED else None

    async def find_by_name(self, owner_id: str, name: str) -> Idp | None:
        return await self.find_where({"orgId": owner_id, "nameKey": canonical(name)})

    async def list_by_ids(self, ids: Iterable[str]) -> list[Idp]:
        """Omits unknown ids; unordered."""
        wanted = list(dict.fromkeys(ids))
        question = {"_id": {"$in": wanted}, "state": {"$ne": State.DELETED.value}}
        return await self.list_where(question, len(wanted)) if wanted else []

    async def list_mapped(self, org_id: str, group_id: str) -> list[Idp]:
        """Returns the providers that put users into a group, ordered by name."""
        question = {"orgId": org_id, "state": {"$ne": State.DELETED.value}, "tables.memberships.groupId": group_id}
        return await self.list_where(question, None, order=("nameKey",))

    async def list_accepting(self, client_id: str, issuer: str, org_ids: Collection[str]) -> list[Idp]:
        """Returns the active providers of the organizations with this issuer whose assertions are accepted of a client.

        Any organization may name the client: providers of others must take no place of the limit.
        """
        question = {
            "assertions.rules.clientId": client_id,
            "config.issuer": issuer,
            "state": State.ACTIVE.value,
            "orgId": {"$in": sorted(org_ids)},
        }
        return await self.list_where(question, MOST_OF_ISSUER, order=("_id",))

    async def is_any_accepting(self) -> bool:
        question = {"assertions.rules.clientId": {"$exists": True}, "state": State.ACTIVE.value}
        return await self.find_where(question) is not None
