"""Finds the accounts that an identifier could mean, with one aggregation of indexed queries in MongoDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.account import AnyUser
from portico_users.accounts.login_names import Candidates, Held, Identifier
from portico_users.end_users.store import BY_PROOF, USERS
from portico_users.organizations.org import ORGS
from portico_users.storage.entry import Document, Table
from portico_users.values.records import State

MOST: Final = 10
"""Limit of accounts with the same address that are checked for the first one that may sign in."""


class MongoCandidates:
    def __init__(self, database: Database, table: Table[AnyUser], without: Sequence[str]) -> None:
        self._rows = database[table.name]
        self._table = table
        self._without = dict.fromkeys(without, 0)

    async def find_candidates(
        self, identifier: Identifier, org_ids: Sequence[str] | None, *, humans: bool
    ) -> Candidates:
        first, *others = questions_of(identifier, _among(org_ids, humans=humans))
        united = [{"$unionWith": {"coll": coll, "pipeline": steps}} for coll, steps in others]
        owner = {"from": ORGS.name, "localField": "orgId", "foreignField": "_id", "as": "_owner"}
        steps: list[Document] = [*first[1], *united, {"$project": self._without}, {"$lookup": owner}]
        async with guarded():
            documents: list[Document] = await self._rows.aggregate(steps).to_list(None)
        found: list[list[Held]] = [[], [], []]
        for document in documents:
            owned_by = ORGS.record(document["_owner"][0]) if document["_owner"] else None
            found[document["_question"]].append((self._table.record(document, whole=False), owned_by))
        return Candidates(*found)


def questions_of(identifier: Identifier, among: Document) -> list[tuple[str, list[Document]]]:
    """Returns collections and pipelines in the order of `Candidates`; the text alone decides which (LG-01)."""
    named = {"nameKey": {"$in": [identifier.name, identifier.local]}, **among}
    verified = {"verifiedMailKey": identifier.mail, **among}
    steps: list[tuple[str, list[Document]]] = [
        (USERS, [{"$match": named}, {"$limit": 2}]),
        (ORGS.name, _in_domain(identifier, verified)),
        (USERS, _by_proof(verified)),
    ]
    asked = steps if identifier.domain or identifier.mail else steps[:1]
    return [(coll, [*answer, {"$set": {"_question": number}}]) for number, (coll, answer) in enumerate(asked)]


def _in_domain(identifier: Identifier, verified: Document) -> list[Document]:
    members = {
        "from": USERS,
        "localField": "_id",
        "foreignField": "orgId",
        "pipeline": _by_proof(verified),
        "as": "_members",
    }
    domain = {"$or": [{"domainKey": identifier.domain}, {"domainKeys": identifier.domain}]}
    return [
        {"$match": domain},
        {"$limit": 1},
        {"$lookup": members},
        {"$unwind": "$_members"},
        {"$replaceRoot": {"newRoot": "$_members"}},
    ]


def _by_proof(verified: Document) -> list[Document]:
    return [{"$match": verified}, {"$sort": BY_PROOF}, {"$limit": MOST}]


def _among(org_ids: Sequence[str] | None, *, humans: bool) -> Document:
    among: Document = {"state": {"$ne": State.DELETED.value}}
    if humans:
        among["type"] = "human"
    if org_ids is not None:
        among["orgId"] = {"$in": list(org_ids)}
    return among
