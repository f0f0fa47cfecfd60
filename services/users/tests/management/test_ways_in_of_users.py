"""Lists and pages of users know the first factors that a rule states (decision 0143)."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any, Final

import pytest
from portico_contracts.users import FirstFactor
from portico_fakes.management_api import call_as
from portico_users.end_users.end_user import EndUser, SecurityKey
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.marks import Mark, mark_order
from portico_users.end_users.store import HUMANS, USERS
from portico_users.policies.ways_in import StatedWays

from .test_first_factors import EMAIL_CODE, IAM, ORG, PASSKEY, PASSWORD, USER, Rules, rules

__all__ = ["rules"]

pytestmark = pytest.mark.servers


@pytest.mark.parametrize("of", [ORG, IAM])
async def test_lists_and_pages_of_users_know_the_rule(rules: Rules, of: str) -> None:
    """A password is no way in where none is allowed; a proven address is one where emailed codes are."""
    managed = rules.managed
    people = f"{USER}.ListUsers"

    async def found(situation: str) -> set[str]:
        only = [{"situationQuery": {"situation": f"USER_SITUATION_{situation}"}}]
        listed = await call_as(managed, people, {"queries": only})
        assert listed.code == 0, listed.body
        return {one["userId"] for one in listed.body.get("result", ())} & {rules.pat}

    async def shown() -> set[str]:
        page = (await managed.get(rules.pat)).body["user"]["human"]
        names = [{"userNameQuery": {"userName": rules.pat}}]
        [listed] = (await call_as(managed, people, {"queries": names})).body["result"]
        return {page.get("wayIn", ""), listed["human"].get("wayIn", "")}

    seen = []
    for types in ((PASSKEY,), (PASSWORD, PASSKEY), (EMAIL_CODE,)):
        await rules.set(*types, of=of, by="owner" if of == ORG else "iam")
        seen.append((await found("WITHOUT_WAY_IN"), await found("WITH_WAY_IN"), await shown()))

    pat = {rules.pat}
    assert seen[0][:2] == (pat, set())
    assert seen[1][:2] == seen[2][:2] == (set(), pat)
    assert len(seen[0][2]) == 1
    assert seen[0][2] != seen[1][2] == seen[2][2]


KEY: Final = SecurityKey(id="k", name="k", passkey=True)
_EVERY: Final = tuple(frozenset(one) for number in range(5) for one in combinations(FirstFactor, number))


@pytest.mark.parametrize("mark", [Mark.WITH_WAY_IN, Mark.WITHOUT_WAY_IN])
async def test_filter_reads_few_users_beside_those_it_finds(managed: Any, mark: Mark) -> None:
    """Under every rule the index of marks has the users of each combination of ways, but for links that decide."""
    users = managed.users.parts.mongo.database[USERS]
    held: dict[str, tuple[frozenset[FirstFactor], str]] = {}
    rows = []
    for number, (ways, idp_id) in enumerate(product(_EVERY, ("offered", "other"))):
        id = f"ways-{number}-{managed.tag}"
        held[id] = (ways, idp_id)
        human = EndUser(
            id=id, org_id=f"ways-{managed.tag}", user_name=id, email=f"{id}@mail.example", first_name="A", last_name="B",
            display_name="A B",
            email_verified=FirstFactor.EMAIL_CODE in ways, has_password=FirstFactor.PASSWORD in ways,
            security_keys=(KEY,) if FirstFactor.PASSKEY in ways else (),
            idp_links=(IdpLink(idp_id=idp_id, user_id=id, user_name=id),) if FirstFactor.PROVIDER in ways else (),
        )  # fmt: skip
        rows.append(HUMANS.document(human))
    await users.insert_many(rows)
    wrong = []
    for rule in _EVERY[1:]:
        stated = StatedWays(tuple(rule), ("offered",))
        question = {"orgId": f"ways-{managed.tag}", **stated.question(mark)}
        asked = {"find": USERS, "filter": question, "hint": dict(mark_order("orgId"))}
        told = await managed.users.parts.mongo.database.command("explain", asked, verbosity="executionStats")
        found = {row["_id"] async for row in users.find(question, {"_id": 1})}
        may = {id for id, (ways, idp_id) in held.items() if _may_sign_in(ways & rule, idp_id)}
        wanted = may if mark is Mark.WITH_WAY_IN else held.keys() - may
        read = told["executionStats"]["totalDocsExamined"]
        by_links = FirstFactor.PROVIDER in rule
        if found != wanted or read > len(found) + (len(held) // 4 if by_links else 0):
            wrong.append((rule, read, found ^ wanted))
    await users.delete_many({"_id": {"$in": list(held)}})

    assert wrong == []


def _may_sign_in(allowed: frozenset[FirstFactor], idp_id: str) -> bool:
    return bool(allowed - {FirstFactor.PROVIDER}) or (FirstFactor.PROVIDER in allowed and idp_id == "offered")
