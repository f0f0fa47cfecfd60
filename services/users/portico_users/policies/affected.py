"""Counts the end users whom stricter sign-in rules would affect, without reading more than a fixed number of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import Factor, FirstFactor
from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.account import readable_login_name
from portico_users.end_users.store import HUMANS
from portico_users.organizations.org import ORGS
from portico_users.policies.login_rules import RulesInForce
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


class Ways(NamedTuple):
    """First factors that are allowed, with the identity providers that are offered."""

    allowed: tuple[FirstFactor, ...] = ()
    idp_ids: tuple[str, ...] = ()


def ways_of(rules: RulesInForce) -> Ways:
    return Ways(tuple(one for one in FirstFactor if rules.may_begin_with(one)), rules.sign_in_idps)


class FirstFactorQuestion(NamedTuple):
    """The ways in that would be allowed; without `before`, users who had none before are counted as well.

    `names`: login names are returned.
    """

    after: Ways = Ways()
    caller_id: str = ""
    names: bool = False
    before: Ways = Ways()


NOT_EXAMINED: Final = FirstFactorQuestion()

MAX_NAMED: Final = 10
"""Maximum number of login names in a response."""


class Affected(NamedTuple):
    """Numbers of active end users; all are of the first `counted`, which is at most `MOST`.

    `login_names` are those of some of `without_first_factor`.
    """

    counted: int = 0
    without_factor: int = 0
    without_factor_or_verified_email: int = 0
    without_verified_email: int = 0
    only_passkey: int = 0
    only_provider: int = 0
    expired_passwords: int = 0
    without_first_factor: int = 0
    caller_without_first_factor: bool = False
    login_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AffectedUsers:
    database: Database

    async def count(
        self,
        org_id: str,
        factors: Collection[Factor],
        changed_before: float,
        first: FirstFactorQuestion = NOT_EXAMINED,
    ) -> Affected:
        """Counts in one organization; for an empty id, in all that inherit the instance's policy.

        Args:
            factors: those that would be allowed.
            changed_before: the time before which passwords would be expired, 0 for none.
            first: names no first factors where they are not examined.
        """
        among = {"orgId": org_id or {"$nin": await self._own_rules(age=bool(changed_before))}}
        people: Document = {**among, "type": "human", "state": State.ACTIVE.value}
        steps: list[Document] = [
            {"$match": people},
            {"$limit": MOST},
            {"$group": {"_id": _of_each(factors, changed_before, first), "number": {"$sum": 1}}},
        ]
        async with guarded():
            kinds: list[Document] = await self.database[HUMANS.name].aggregate(steps).to_list(None)
        counted = _added_up([(kind["_id"], kind["number"]) for kind in kinds])
        if not first.after.allowed:
            return counted._replace(without_first_factor=0)
        lacks, has_some = {"$expr": _loses(first)}, first.names and counted.without_first_factor
        async with guarded():
            caller = await self.database[HUMANS.name].find_one({**people, "_id": first.caller_id, **lacks}, {"_id": 1})
        return counted._replace(
            caller_without_first_factor=caller is not None,
            login_names=await self._names_of(people, lacks) if has_some else (),
        )

    async def _names_of(self, people: Document, lacks: Document) -> tuple[str, ...]:
        steps: list[Document] = [{"$match": people}, {"$limit": MOST}, {"$match": lacks}, {"$limit": MAX_NAMED}]
        async with guarded():
            found = await self.database[HUMANS.name].aggregate(steps).to_list(MAX_NAMED)
            users = [HUMANS.record(row) for row in found]
            rows = self.database[ORGS.name].find({"_id": {"$in": [user.org_id for user in users]}})
            orgs = {row["_id"]: ORGS.record(row) async for row in rows}
        return tuple(readable_login_name(user, orgs[user.org_id]) for user in users if user.org_id in orgs)

    async def _own_rules(self, *, age: bool) -> list[str]:
        member = "policies.passwordAge" if age else "loginRules"
        question: Document = {member: {"$nin": [None, {}]}}
        async with guarded():
            return [row["_id"] async for row in self.database[ORGS.name].find(question, {"_id": 1})]


def _loses(first: FirstFactorQuestion) -> Document:
    had = [_begins(first.before)] if first.before.allowed else []
    return {"$and": [*had, {"$not": [_begins(first.after)]}]}


def _begins(ways_in: Ways) -> Document:
    """A user who can begin a sign-in in one of the allowed ways."""
    offered = {"$in": ["$$link.idpId", list(ways_in.idp_ids)]}
    linked = {"$filter": {"input": {"$ifNull": ["$idpLinks", []]}, "as": "link", "cond": offered}}
    ways: dict[FirstFactor, Document] = {
        FirstFactor.PASSWORD: _HAS_PASSWORD,
        FirstFactor.PASSKEY: _PASSKEY,
        FirstFactor.EMAIL_CODE: _VERIFIED,
        FirstFactor.PROVIDER: {"$gt": [{"$size": linked}, 0]},
    }
    return {"$or": [ways[one] for one in ways_in.allowed]}


def _of_each(factors: Collection[Factor], changed_before: float, first: FirstFactorQuestion) -> Document:
    """The facts about one user that count; their few combinations are cheaper to add up here than in the database."""
    changed = {"$ifNull": ["$passwordChanged", 0]}
    return {
        "factor": {"$or": [_HAS[factor] for factor in factors]},
        "verified": _VERIFIED,
        "password": _HAS_PASSWORD,
        "passkey": _PASSKEY,
        "link": _HAS_LINK,
        "loses": _loses(first),
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
        without_first_factor=number("loses"),
    )
