"""Claim rules are chosen once for each version of an application (decision 0141)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts.users import AuthMethod, ClaimPlace, ClaimRule, ClaimSource, Client, ClientKind
from portico_token.domain.compiled_rules import MOST_APPLICATIONS, MOST_OF_APPLICATION, CompiledRules

PLACES = (ClaimPlace.ID_TOKEN,)


def rule(claim: str = "c", **members: Any) -> ClaimRule:
    return ClaimRule(claim=claim, source=ClaimSource.FIXED, value="x", **{"places": PLACES, **members})


def application(*rules: ClaimRule, client_id: str = "app") -> Client:
    return Client(
        client_id=client_id, kind=ClientKind.OIDC, name="app", app_id="a", project_id="p", org_id="o",
        auth_method=AuthMethod.NONE, audience=(), claim_rules=rules,
    )  # fmt: skip


def test_changed_application_has_its_new_rules() -> None:
    """Also where only the name of another claim has changed, which the rule may then not have."""
    compiled, before = CompiledRules(), application(rule())
    after, taken = replace(before, claim_rules=(rule("d"),)), replace(before, roles_claim="c")
    found = [compiled.rules_for(one, ("openid",), PLACES).rules for one in (before, after, before, taken)]

    assert found == [(rule(),), (rule("d"),), (rule(),), ()]


@pytest.mark.parametrize("moved", [{"project_id": "q"}, {"org_id": "q"}])
def test_moved_application_is_another_one(moved: dict[str, str]) -> None:
    """Rules read roles, metadata and groups of its project and organization."""
    compiled, before = CompiledRules(), application(rule())
    found = {compiled.rules_for(one, (), PLACES).number for one in (before, before, replace(before, **moved))}

    assert len(found) == 2


def test_scope_and_places_are_distinguished() -> None:
    compiled, client = CompiledRules(), application(rule(scope="profile"))

    assert compiled.rules_for(client, ("openid",), PLACES).rules == ()
    assert compiled.rules_for(client, ("openid", "profile"), PLACES).rules
    assert compiled.rules_for(client, ("openid", "profile"), (ClaimPlace.USERINFO,)).rules == ()


def test_memory_is_bounded() -> None:
    """Clients choose their scopes, and anyone may have many applications."""
    compiled, client = CompiledRules(), application(rule())
    for number in range(MOST_OF_APPLICATION + 2):
        compiled.rules_for(client, (f"s{number}",), PLACES)
    for number in range(MOST_APPLICATIONS + 2):
        compiled.rules_for(application(rule(), client_id=f"c{number}"), (), PLACES)

    assert len(compiled._of_clients) <= MOST_APPLICATIONS
    assert all(len(one.chosen) <= MOST_OF_APPLICATION for one in compiled._of_clients.values())
