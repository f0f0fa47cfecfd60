"""Which users can sign in where the rules of their organization state the first factors (decision 0143).

The marks of a user state whether there is any way in. Where a rule states first factors, only those count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from portico_contracts.users import FirstFactor
from portico_runtime.mongo.client import Database, guarded

from portico_users.end_users.marks import MARKS, Mark, Way, ways_mark
from portico_users.instance.instance import INSTANCES, UNSET
from portico_users.organizations.org import ORGS, Org
from portico_users.policies.login_rules import LoginRules, RulesInForce, in_force
from portico_users.storage.entry import Document
from portico_users.values.names import INSTANCE

ACCESS: Final = (Mark.WITH_WAY_IN, Mark.WITHOUT_WAY_IN)


_WAYS: Final = {
    FirstFactor.PASSWORD: Way.PASSWORD,
    FirstFactor.PASSKEY: Way.PASSKEY,
    FirstFactor.EMAIL_CODE: Way.VERIFIED_EMAIL,
    FirstFactor.PROVIDER: Way.LINK,
}
_ALL_WAYS: Final = tuple(frozenset(chosen) for number in range(len(Way) + 1) for chosen in combinations(Way, number))


def _marked(ways: Iterable[Collection[Way]]) -> Document:
    return {MARKS: {"$in": [ways_mark(one) for one in ways]}}


class StatedWays(NamedTuple):
    """First factors that a rule states, with the identity providers that are offered."""

    first_factors: tuple[FirstFactor, ...]
    idp_ids: tuple[str, ...]

    def question(self, mark: Mark) -> Document:
        """Ranges of the index of marks; only of users whose links decide, the links are read."""
        allowed = {_WAYS[one] for one in self.first_factors} - {Way.LINK}
        with_one = [ways for ways in _ALL_WAYS if allowed & ways]
        without = [ways for ways in _ALL_WAYS if not allowed & ways]
        by_links = [ways for ways in without if Way.LINK in ways] if FirstFactor.PROVIDER in self.first_factors else []
        sure = with_one if mark is Mark.WITH_WAY_IN else [ways for ways in without if ways not in by_links]
        question = _marked([*sure, *by_links])
        if by_links:
            operator = "$in" if mark is Mark.WITH_WAY_IN else "$nin"
            question["$or"] = [_marked(sure), {"idpLinks.idpId": {operator: list(self.idp_ids)}}]
        return question


class RulesOfWays(NamedTuple):
    """`others` holds in the organizations that are not named; without it, the marks of their users decide."""

    org_ids: Mapping[StatedWays, Sequence[str]]
    others: StatedWays | None

    def question(self, mark: Mark, org_ids: Sequence[str] = ()) -> Document:
        """Matches users who can sign in, or who cannot; users with an invitation are neither.

        `org_ids` are those of the list, empty for all: under one rule, a range of the index of marks has all users.
        """
        by_org = {id: ways for ways, ids in self.org_ids.items() for id in ids}
        rest = self.others.question(mark) if self.others else {MARKS: {"$in": [mark.value]}}
        if org_ids and len(rules := {by_org.get(id, self.others) for id in org_ids}) == 1:
            [only] = rules
            return only.question(mark) if only else rest
        if not by_org:
            return rest
        stated = [{"orgId": {"$in": list(ids)}, **ways.question(mark)} for ways, ids in self.org_ids.items()]
        marks = dict.fromkeys(mark for one in (rest, *stated) for mark in one[MARKS]["$in"])
        return {MARKS: {"$in": list(marks)}, "$or": [{"orgId": {"$nin": list(by_org)}, **rest}, *stated]}


@dataclass(frozen=True, slots=True)
class WaysIn:
    database: Database

    async def find_rules(self) -> RulesOfWays | None:
        """Returns None where no rule states first factors. Raises `unavailable`."""
        async with guarded():
            instance, orgs = await self._find_stated()
            if instance.first_factors:
                # Those with their own rules may offer other providers than the instance.
                own: Document = {"loginRules": {"$nin": [None, {}]}}
                orgs = [ORGS.record(one) async for one in self.database[ORGS.name].find(own)]
        others = _stated_in(in_force(instance))
        found: dict[StatedWays, list[str]] = defaultdict(list)
        for org in orgs:
            if ways := _stated_in(in_force(org.login_rules, instance)):
                found[ways].append(org.id)
        return RulesOfWays(found, others) if found or others else None

    async def _find_stated(self) -> tuple[LoginRules, list[Org]]:
        """Returns the rules of the instance, and the organizations that state first factors: every list needs them."""
        stated: Document = {"coll": ORGS.name, "pipeline": [{"$match": {_STATED: {"$exists": True}}}]}
        steps: list[Document] = [{"$match": {"_id": INSTANCE}}, {"$unionWith": stated}]
        rows = await self.database[INSTANCES.name].aggregate(steps).to_list(None)
        instance = next((INSTANCES.record(row) for row in rows if row["_id"] == INSTANCE), UNSET)
        return instance.login_rules, [ORGS.record(row) for row in rows if row["_id"] != INSTANCE]


_STATED: Final = "loginRules.firstFactors"


def _stated_in(rules: RulesInForce) -> StatedWays | None:
    return StatedWays(rules.first_factors, rules.sign_in_idps) if rules.first_factors else None
