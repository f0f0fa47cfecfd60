"""Clients of Keycloak and Auth0 whose access tokens must be bound to a key (RFC 9449)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.apply import DpopName

from .test_documents import client, convert, document_in, realm_file


def keycloak(tmp_path: Path, value: str, **members: Any) -> Any:
    output = tmp_path / "portico.yaml"
    one = client("shop", attributes={"dpop.bound.access.tokens": value}, **members)
    convert(output, realm_file(tmp_path, {"realm": "one", "clients": [one]}))
    return document_in(output).organizations[0]


@pytest.mark.parametrize(
    ("value", "members", "wanted"),
    [
        ("true", {}, DpopName.REQUIRED),
        ("false", {}, DpopName.OFF),
        ("true", {"implicitFlowEnabled": True}, DpopName.ALLOWED),
    ],
)
def test_keycloak_switch_is_kept(tmp_path: Path, value: str, members: dict[str, Any], wanted: DpopName) -> None:
    """With the implicit flow it is allowed only, because the document would be refused otherwise (USER-793)."""
    [project] = keycloak(tmp_path, value, **members).projects
    [app] = project.oidc_apps

    assert app.dpop is wanted


def test_service_user_of_keycloak_keeps_it(tmp_path: Path) -> None:
    """Its tokens of client credentials are bound as before."""
    alone = {"standardFlowEnabled": False, "serviceAccountsEnabled": True}
    [user] = keycloak(tmp_path, "true", **alone).service_users

    assert user.dpop is DpopName.REQUIRED


@pytest.mark.parametrize("required", [False, True])
def test_auth0_switch_is_kept(tmp_path: Path, *, required: bool) -> None:
    one: dict[str, Any] = {
        "name": "shop",
        "client_id": "shop",
        "app_type": "regular_web",
        "callbacks": ["https://a.example/cb"],
    }
    one |= {"grant_types": ["authorization_code"], "require_proof_of_possession": required}
    tenant = tmp_path / "tenant.json"
    tenant.write_text(json.dumps({"clients": [one]}))
    output = tmp_path / "portico.yaml"
    convert(output, tenant, source="auth0")
    [project] = document_in(output).organizations[0].projects or ()
    [app] = project.oidc_apps or ()

    assert app.dpop is (DpopName.REQUIRED if required else DpopName.OFF)
