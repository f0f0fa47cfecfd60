"""Counts the end users whom stricter sign-in rules would affect, without reading more than a fixed number of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import Factor
from portico_runtime.mongo.client import Database, guarded

from portico_users.end_users.store import HUMANS
from portico_users.organizations.org import ORGS
from portico_users.storage.entry import Document
from portico_users.values.records import State

MOST: Final = 10_000
"""Maximum number of users to examine."""

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
    Factor.OTP_SMS: {"$eq": ["$hasOtpSms", True]},
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
            {"$group": {"_id": _of_each(factors, changed_before), "number": {"$sum": 1}}},
        ]
        async with guarded():
            kinds: list[Document] = await self.database[HUMANS.name].aggregate(steps).to_list(None)
        return _added_up([(kind["_id"], kind["number"]) for kind in kinds])

    async def _own_rules(self, *, age: bool) -> list[str]:
        member = "policies.passwordAge" if age else "loginRules"
        question: Document = {member: {"$nin": [None, {}]}}
        async with guarded():
            return [row["_id"] async for row in self.database[ORGS.name].find(question, {"_id": 1})]


def _of_each(factors: Collection[Factor], changed_before: float) -> Document:
    """The facts about one user that count; their few combinations are cheaper to add up here than in the database."""
    changed = {"$ifNull": ["$passwordChanged", 0]}
    return {
        "factor": {"$or": [_HAS[factor] for factor in factors]},
        "verified": _VERIFIED,
        "password": _HAS_PASSWORD,
        "passkey": _PASSKEY,
        "link": _HAS_LINK,
        "expired": {"$and": [_HAS_PASSWORD, {"$gt": [changed, 0]}, {"$lte": [changed, changed_before]}]},
    }


def _added_up(kinds: Sequence[tuple[Mapping[str, bool], int]]) -> Affected:
    def number(*names: str, without: Sequence[str] = ()) -> int:
        return sum(
            people
            for kind, people in kinds
            if all(kind[name] for name in names) and not any(kind[name] for name in without)
        )

    return Affected(
        counted=number(),
        without_factor=number(without=["factor"]),
        without_factor_or_verified_email=number(without=["factor", "verified"]),
        without_verified_email=number(without=["verified"]),
        only_passkey=number("passkey", without=["password", "link"]),
        only_provider=number("link", without=["password", "passkey"]),
        expired_passwords=number("expired"),
    )
