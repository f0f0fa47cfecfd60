"""Counts the end users whom stricter sign-in rules would affect, without reading more than a fixed number of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import Factor
from portico_runtime.mongo import Database, guarded

from portico_users.kernel.entry import Document
from portico_users.kernel.records import State
from portico_users.resources.end_users.store import HUMANS
from portico_users.resources.organizations.org import ORGS

MOST: Final = 10_000
"""Maximum number of users to examine: about 50 ms."""

_HAS_PASSWORD: Final = {"$eq": ["$hasPassword", True]}
_HAS_LINK: Final = {"$gt": [{"$size": {"$ifNull": ["$idpLinks", []]}}, 0]}
_VERIFIED: Final = {"$eq": ["$emailVerified", True]}
_KEYS: Final = {"$ifNull": ["$securityKeys.passkey", []]}
_PASSKEY: Final = {"$in": [True, _KEYS]}
_HAS: Final[dict[Factor, Document]] = {
    Factor.PASSKEY: _PASSKEY,
    Factor.U2F: {
        "$gt": [
            {
                "$size": {
                    "$filter": {
                        "input": {"$ifNull": ["$securityKeys", []]},
                        "as": "key",
                        "cond": {"$ne": ["$$key.passkey", True]},
                    }
                }
            },
            0,
        ]
    },
    Factor.TOTP: {"$eq": ["$hasTotp", True]},
    Factor.OTP_EMAIL: {"$and": [{"$eq": ["$hasOtpEmail", True]}, _VERIFIED]},
}


class Affected(NamedTuple):
    """Numbers of active end users; all are of the first `counted`, which is at most `MOST`."""

    counted: int = 0
    without_factor: int = 0
    without_factor_or_verified_email: int = 0
    without_verified_email: int = 0
    only_passkey: int = 0
    only_provider: int = 0
    expired_passwords: int = 0


@dataclass(frozen=True, slots=True)
class AffectedUsers:
    database: Database

    async def count(self, org_id: str, factors: Collection[Factor], changed_before: float) -> Affected:
        """Counts in one organization; for an empty id, in all that inherit the instance's policy.

        Args:
            factors: those that would be allowed.
            changed_before: the time before which passwords would be expired, 0 for none.
        """
        among = {"orgId": org_id or {"$nin": await self._own_rules(age=bool(changed_before))}}
        steps: list[Document] = [
            {"$match": {**among, "type": "human", "state": State.ACTIVE.value}},
            {"$limit": MOST},
            {"$group": {"_id": None, "counted": {"$sum": 1}, **_sums(factors, changed_before)}},
            {"$unset": "_id"},
        ]
        async with guarded():
            rows: list[Document] = await self.database[HUMANS.name].aggregate(steps).to_list(1)
        return Affected(**rows[0]) if rows else Affected()

    async def _own_rules(self, *, age: bool) -> list[str]:
        member = "policies.passwordAge" if age else "loginRules"
        question: Document = {member: {"$nin": [None, {}]}}
        async with guarded():
            return [row["_id"] async for row in self.database[ORGS.name].find(question, {"_id": 1})]


def _sums(factors: Collection[Factor], changed_before: float) -> Document:
    missing = {"$not": [{"$or": [_HAS[factor] for factor in factors]}]}
    conditions: dict[str, Document] = {
        "without_factor": missing,
        "without_factor_or_verified_email": {"$and": [missing, {"$not": [_VERIFIED]}]},
        "without_verified_email": {"$not": [_VERIFIED]},
        "only_passkey": {"$and": [_PASSKEY, {"$not": [{"$or": [_HAS_PASSWORD, _HAS_LINK]}]}]},
        "only_provider": {"$and": [_HAS_LINK, {"$not": [{"$or": [_HAS_PASSWORD, _PASSKEY]}]}]},
        "expired_passwords": {
            "$and": [
                _HAS_PASSWORD,
                {"$gt": [{"$ifNull": ["$passwordChanged", 0]}, 0]},
                {"$lte": ["$passwordChanged", changed_before]},
            ]
        },
    }
    return {name: {"$sum": {"$cond": [condition, 1, 0]}} for name, condition in conditions.items()}
