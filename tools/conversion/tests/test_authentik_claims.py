"""Scope mappings of authentik as claim rules, where the expression is simple; it is never run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result
from portico_contracts.apply import ClaimRule

from .test_authentik import authentik
from .test_documents import apps_of

EVERYWHERE = ["id_token", "access_token", "userinfo", "introspection"]
ENTRIES = """\
- model: authentik_providers_oauth2.oauth2provider
  identifiers: {pk: 8}
  attrs:
    name: Shop
    client_id: shop
    client_type: public
    property_mappings:
    - !Find [authentik_providers_oauth2.scopemapping, [managed, goauthentik.io/providers/oauth2/scope-openid]]
    - !KeyOf own
- model: authentik_providers_oauth2.scopemapping
  id: own
  identifiers: {name: Own}
  attrs:
    scope_name: %s
    expression: |
      %s
"""


def converted(tmp_path: Path, expression: str, scope: str = "openid") -> tuple[Result, list[ClaimRule]]:
    result, organization = authentik(tmp_path, ENTRIES % (scope, expression))
    return result, list(apps_of(organization)["shop"].claim_rules)


@pytest.mark.parametrize(
    ("expression", "rule"),
    [
        ('return {"tier": "gold"}', {"source": "fixed", "value": "gold"}),
        ('return {"tier": ["a", "b"]}', {"source": "fixed", "value": '["a", "b"]', "format": "json"}),
        ('return {"tier": True}', {"source": "fixed", "value": "true", "format": "json"}),
        ('return {"tier": request.user.username}', {"source": "attribute", "key": "user_name"}),
        ('return {"tier": user.email}', {"source": "attribute", "key": "email"}),
        ('return {"tier": [g.name for g in request.user.ak_groups.all()]}', {"source": "groups"}),
        ('return {"tier": [group.name for group in user.all_groups()]}', {"source": "groups"}),
    ],
)
def test_simple_mapping_becomes_a_rule(tmp_path: Path, expression: str, rule: dict[str, Any]) -> None:
    result, rules = converted(tmp_path, expression)

    assert rules == [msgspec.convert({"claim": "tier", "in": EVERYWHERE, **rule}, ClaimRule)]
    assert "scope mapping Own: changed: a scope mapping: claim rules give its claims (tier)" in result.stderr


def test_rule_keeps_a_scope_of_the_specification(tmp_path: Path) -> None:
    """Users who did not allow the scope have no such claim."""
    _result, rules = converted(tmp_path, 'return {"tier": "gold"}', "profile")

    assert [one.scope for one in rules] == ["profile"]


@pytest.mark.parametrize(
    ("expression", "scope"),
    [
        ('return {"tier": "gold"}', "tiers"),
        ('return {"tier": request.user.attributes.get("tier")}', "openid"),
        ('return {"tier": "gold", "other": ak_message("x")}', "openid"),
        ('return {"sub": "gold"}', "openid"),
        ('return {"tier": [g.name for g in user.ak_groups.all() if g.name != "x"]}', "openid"),
        ('return {"tier": __import__("os").system("true")}', "openid"),
        ("return {**user.attributes}", "openid"),
        ("return {", "openid"),
        ('tier = "gold"', "openid"),
    ],
)
def test_other_mapping_is_named(tmp_path: Path, expression: str, scope: str) -> None:
    """As a whole: a part of its claims would look like all of them."""
    result, rules = converted(tmp_path, expression, scope)

    assert rules == []
    assert (
        f"scope mapping Own: not converted: a scope mapping: its claims are made by an expression; add claim rules, or call a token hook ({scope})"
        in result.stderr
    )
