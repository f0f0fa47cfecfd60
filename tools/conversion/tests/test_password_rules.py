from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from portico_contracts.apply import Organization

from .test_authentik import BLUEPRINT, authentik
from .test_documents import convert, document_in
from .test_keycloak import keycloak
from .test_zitadel import from_zitadel


def auth0(folder: Path, **members: Any) -> tuple[Result, Organization]:
    file, output = folder / "tenant.yaml", folder / "portico.yaml"
    file.write_text(json.dumps({"clients": [], **members}))
    result = convert(output, file, source="auth0")
    return result, document_in(output).organizations[0]


@pytest.mark.parametrize("length", [4, 100])
def test_other_minimum_length_of_passwords_is_named(tmp_path: Path, length: int) -> None:
    """Of every system, as the policy here requires another length."""
    told = f"not converted: the minimum length of passwords: from 8 to 72 here ({length})"
    options = {"passwordPolicy": "low", "password_complexity_options": {"min_length": length}}
    results = [
        keycloak(tmp_path, passwordPolicy=f"length({length})"),
        from_zitadel(tmp_path, passwordComplexityPolicy={"minLength": str(length)}),
        auth0(tmp_path, databases=[{"name": "people", "options": options}]),
    ]

    for result, organization in results:
        assert organization.password_policy
        assert organization.password_policy.min_length == min(max(length, 8), 72)
        assert told in result.stderr
    assert told in converted_blueprint(tmp_path, length).stderr


def converted_blueprint(folder: Path, length: int) -> Result:
    file = folder / "export.yaml"
    file.write_text(BLUEPRINT.replace("length_min: 12", f"length_min: {length}"))
    return convert(folder / "portico.yaml", file, source="authentik")


def test_second_password_rules_are_named(tmp_path: Path) -> None:
    """The rules of the first policy or database stay, instead of those of the last one."""
    of_authentik = "- model: authentik_policies_password.passwordpolicy\n  attrs: {name: weak, length_min: 9}\n"
    one = {"name": "people", "options": {"passwordPolicy": "fair", "disable_signup": True}}
    with_policies, organization = authentik(tmp_path, of_authentik)
    with_databases, tenant = auth0(tmp_path, databases=[one, {"name": "partners", "options": {}}])

    assert organization.password_policy
    assert organization.password_policy.min_length == 12
    assert "password policy weak: not converted: a second password policy" in with_policies.stderr
    assert tenant.password_policy
    assert (tenant.password_policy.has_number, tenant.login_policy and tenant.login_policy.may_register) == (
        True,
        False,
    )
    assert "database partners: not converted: a second database" in with_databases.stderr
