"""Lists and pages of users know the first factors that a rule states (decision 0143)."""

from __future__ import annotations

import pytest
from portico_fakes.management_api import call_as

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
