"""Protocol mappers of Keycloak as claim rules, and those without counterpart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result
from portico_contracts.apply import ClaimRule

from .test_documents import apps_of, client
from .test_keycloak import keycloak, mapper

HARDCODED, ATTRIBUTE = "oidc-hardcoded-claim-mapper", "oidc-usermodel-attribute-mapper"
PROPERTY, GROUPS = "oidc-usermodel-property-mapper", "oidc-group-membership-mapper"
TOKENS = {"id.token.claim": "true", "access.token.claim": "true"}
EVERYWHERE = ["id_token", "access_token", "userinfo", "introspection"]


def rules_of(tmp_path: Path, *mappers: dict[str, Any]) -> tuple[Result, list[ClaimRule]]:
    result, organization = keycloak(tmp_path, clients=[client("shop", protocolMappers=list(mappers))])
    return result, list(apps_of(organization)["shop"].claim_rules)


@pytest.mark.parametrize(
    ("one", "rule"),
    [
        (
            mapper(HARDCODED, "policy", **{"claim.value": "stsonly", "jsonType.label": "String", **TOKENS}),
            {"claim": "policy", "source": "fixed", "value": "stsonly", "in": EVERYWHERE},
        ),
        (
            mapper(HARDCODED, "level", **{"claim.value": "7", "jsonType.label": "int", "access.token.claim": "true"}),
            {
                "claim": "level", "source": "fixed", "value": "7", "format": "json",
                "in": ["access_token", "introspection"],
            },
        ),
        (
            mapper(ATTRIBUTE, "department", **{"user.attribute": "dept", "id.token.claim": "true"}),
            {"claim": "department", "source": "metadata", "key": "dept", "in": ["id_token", "userinfo"]},
        ),
        (
            mapper(
                ATTRIBUTE, "sites", **{"user.attribute": "site", "multivalued": "true", "userinfo.token.claim": "true"}
            ),
            {"claim": "sites", "source": "metadata", "key": "site", "format": "list", "in": ["userinfo"]},
        ),
        (
            mapper(ATTRIBUTE, "mobile", **{"user.attribute": "phoneNumber", "id.token.claim": "true"}),
            {"claim": "mobile", "source": "attribute", "key": "phone_number", "in": ["id_token", "userinfo"]},
        ),
        (
            mapper(PROPERTY, "upn", **{"user.attribute": "username", **TOKENS, "userinfo.token.claim": "false"}),
            {
                "claim": "upn", "source": "attribute", "key": "user_name",
                "in": ["id_token", "access_token", "introspection"],
            },
        ),
        (
            mapper(PROPERTY, "preferred_username", **{"user.attribute": "email", "id.token.claim": "true"}),
            {"claim": "preferred_username", "source": "attribute", "key": "email", "in": ["id_token", "userinfo"]},
        ),
        (
            mapper(HARDCODED, "https://acme\\.example/tier", **{"claim.value": "gold", "id.token.claim": "true"}),
            {"claim": "https://acme.example/tier", "source": "fixed", "value": "gold", "in": ["id_token", "userinfo"]},
        ),
    ],
)  # fmt: skip
def test_mapper_becomes_a_rule(tmp_path: Path, one: dict[str, Any], rule: dict[str, Any]) -> None:
    """Without a setting, userinfo follows the id_token, and introspection the access token."""
    result, rules = rules_of(tmp_path, one)

    assert rules == [msgspec.convert(rule, ClaimRule)]
    assert "a claim rule gives it" in result.stderr


@pytest.mark.parametrize(
    "one",
    [
        mapper(HARDCODED, "a.b", **{"claim.value": "x", **TOKENS}),
        mapper(HARDCODED, "aud", **{"claim.value": "x", **TOKENS}),
        mapper(HARDCODED, "roles", **{"claim.value": "x", **TOKENS}),
        mapper(HARDCODED, "bad", **{"claim.value": "{", "jsonType.label": "JSON", **TOKENS}),
        mapper(HARDCODED, "nowhere", **{"claim.value": "x"}),
        mapper(ATTRIBUTE, "all", **{"user.attribute": "a", "aggregate.attrs": "true", **TOKENS}),
        mapper(PROPERTY, "verified", **{"user.attribute": "emailVerified", **TOKENS}),
        mapper("oidc-usersessionmodel-note-mapper", "note", **{"user.session.note": "n", **TOKENS}),
        mapper("script-mapper.js", "scripted", **TOKENS),
    ],
)
def test_mapper_without_counterpart_is_named(tmp_path: Path, one: dict[str, Any]) -> None:
    """Nested and reserved claims, values of sessions, and code."""
    result, rules = rules_of(tmp_path, one)

    assert rules == []
    assert f"{one['config']['claim.name']}, {one['protocolMapper']}" in result.stderr


def test_second_claims_with_groups_and_roles_are_rules(tmp_path: Path) -> None:
    """The first ones are groupsClaim and rolesClaim."""
    role = "oidc-usermodel-client-role-mapper"
    mappers = [mapper(kind, name, **TOKENS) for kind in (GROUPS, role) for name in (f"{kind[5]}1", f"{kind[5]}2")]
    _result, rules = rules_of(tmp_path, *mappers)

    assert [(one.claim, one.source) for one in rules] == [("g2", "groups"), ("u2", "roles")]


def test_claims_of_a_service_user_are_named(tmp_path: Path) -> None:
    one = mapper(HARDCODED, "tenant", **{"claim.value": "x", **TOKENS})
    members = {"standardFlowEnabled": False, "serviceAccountsEnabled": True, "protocolMappers": [one]}
    result, _ = keycloak(tmp_path, clients=[client("robot", **members)])

    assert "claims of a service user: claim rules are for users who sign in (tenant)" in result.stderr
