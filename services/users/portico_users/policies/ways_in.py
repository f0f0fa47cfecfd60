"""Which users can sign in where the rules of their organization state the first factors (decision 0143).

The marks of a user state whether there is any way in. Where a rule states first factors, only those count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import FirstFactor
from portico_runtime.mongo.client import Database, guarded

from portico_users.end_users.marks import MARKS, Mark
from portico_users.instance.instance import INSTANCES, UNSET
from portico_users.organizations.org import ORGS, Org
from portico_users.policies.login_rules import LoginRules, RulesInForce, in_force
from portico_users.storage.entry import Document
from portico_users.values.names import INSTANCE

ACCESS: Final = (Mark.WITH_WAY_IN, Mark.WITHOUT_WAY_IN)


class StatedWays(NamedTuple):
    """First factors that a rule states, with the identity providers that are offered."""

    first_factors: tuple[FirstFactor, ...]
    idp_ids: tuple[str, ...]

    def question(self, mark: Mark) -> Document:
        ways: dict[FirstFactor, Document] = {
            FirstFactor.PASSWORD: {"hasPassword": True},
            FirstFactor.PASSKEY: {"securityKeys": {"$elemMatch": {"passkey": True}}},
            FirstFactor.EMAIL_CODE: {"emailVerified": True},
            FirstFactor.PROVIDER: {"idpLinks.idpId": {"$in": list(self.idp_ids)}},
        }
        operator = "$or" if mark is Mark.WITH_WAY_IN else "$nor"
        allowed = [ways[one] for one in self.first_factors]
        return {MARKS: {"$in": [one.value for one in ACCESS]}, operator: allowed}


class RulesOfWays(NamedTuple):
    """`others` holds in the organizations that are not named; without it, the marks of their users decide."""

    org_ids: Mapping[StatedWays, Sequence[str]]
    others: StatedWays | None

    def question(self, mark: Mark) -> Document:
        """Matches users who can sign in, or who cannot; users with an invitation are neither."""
        named = [id for ids in self.org_ids.values() for id in ids]
        rest = self.others.question(mark) if self.others else {MARKS: mark.value}
        stated = [{"orgId": {"$in": list(ids)}, **ways.question(mark)} for ways, ids in self.org_ids.items()]
        return {"$or": [{"orgId": {"$nin": named}, **rest}, *stated]}


@dataclass(frozen=True, slots=True)
class WaysIn:
    database: Database

    async def find_rules(self) -> RulesOfWays | None:
        """Returns None where no rule states first factors. Raises `unavailable`."""
        async with guarded():
            instance, orgs = await self._find_stated()
            if instance.first_factors:
                # Those with rules of their own may offer other providers than the instance.
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
