"""Identity providers of Auth0 and authentik."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .test_documents import convert, document_in
from .test_providers import GITHUB_AT_WORK, ISSUER, KEY, TENANT, only


def test_auth0_connections_keep_their_limits(tmp_path: Path) -> None:
    """Apple has its key; a tenant or a Workspace domain does not become everyone."""
    tenant, output = tmp_path / "tenant.yaml", tmp_path / "portico.yaml"
    common = {"client_id": "c", "client_secret": "a-secret-of-the-provider"}
    apple = {"client_id": "c", "app_secret": KEY, "team_id": "TEAM123456", "kid": "KEY1234567"}
    connections = [
        {"name": "apple", "strategy": "apple", "options": apple},
        {"name": "work", "strategy": "google-apps", "options": {**common, "tenant_domain": "Acme.example"}},
        {"name": "entra", "strategy": "waad", "options": {**common, "tenantId": TENANT}},
        {"name": "unknown", "strategy": "waad", "options": {**common, "tenant_domain": "acme.example"}},
        {
            "name": "everyone",
            "strategy": "waad",
            "options": {**common, "useCommonEndpoint": True, "domain": "x.example"},
        },
        {"name": "keyless", "strategy": "apple", "options": {**common, "team_id": "TEAM123456"}},
        {"name": "okta", "strategy": "okta", "options": {**common, "domain": "acme.okta.com"}},
        {"name": "linkedin", "strategy": "linkedin", "options": common},
        {"name": "facebook", "strategy": "facebook", "options": common},
    ]
    tenant.write_text(json.dumps({"connections": connections}))
    result = convert(output, tenant, "--organization", "acme", source="auth0")
    organization = document_in(output).organizations[0]
    found = {one.name: one for one in organization.oidc_idps or ()}

    assert {*found} == {"apple", "work", "entra", "everyone", "okta", "linkedin"}
    assert (found["okta"].preset, found["okta"].issuer, found["linkedin"].preset) == (
        "okta",
        "acme.okta.com",
        "linkedin",
    )
    assert [one.preset for one in organization.oauth2_idps or ()] == ["facebook"]
    assert (found["apple"].client_secret, found["apple"].team_id, found["apple"].key_id) == (
        KEY, "TEAM123456", "KEY1234567",
    )  # fmt: skip
    assert found["work"].hosted_domains == ("acme.example",)
    assert (found["entra"].issuer, found["everyone"].issuer) == (ISSUER, "")
    assert "connection unknown: not converted: a Microsoft provider of one tenant whose id" in result.stderr
    assert "connection keyless: not converted: an identity provider whose secret is not in the export" in result.stderr
    assert "MIGTAg" not in result.output


SOURCE = {"slug": "s", "consumer_key": "c", "consumer_secret": "a-secret-of-the-provider"}


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"provider_type": "apple", "consumer_key": "c;TEAM123456;KEY1234567", "consumer_secret": KEY},
         {"preset": "apple", "client_id": "c", "team_id": "TEAM123456", "key_id": "KEY1234567", "client_secret": KEY}),
        ({"provider_type": "entraid", "oidc_well_known_url": f"{ISSUER}/.well-known/openid-configuration"},
         {"preset": "entra", "issuer": ISSUER}),
        ({"provider_type": "azuread", "access_token_url": f"https://login.microsoftonline.com/{TENANT}/oauth2/v2.0/token"},
         {"preset": "entra", "issuer": ISSUER}),
        ({"provider_type": "gitlab", "oidc_well_known_url": "https://git.example/.well-known/openid-configuration"},
         {"preset": "gitlab-self-managed", "issuer": "https://git.example"}),
        ({"provider_type": "github", "authorization_url": GITHUB_AT_WORK[1], "access_token_url": GITHUB_AT_WORK[2],
          "profile_url": GITHUB_AT_WORK[3]},
         {"preset": GITHUB_AT_WORK[0], "token_endpoint": GITHUB_AT_WORK[2], "userinfo_endpoint": GITHUB_AT_WORK[3]}),
        ({"provider_type": "google", "enabled": False}, {"preset": "google", "state": "inactive"}),
        ({"provider_type": "okta", "oidc_well_known_url": "https://a.okta.com/.well-known/openid-configuration"},
         {"preset": "okta", "issuer": "https://a.okta.com"}),
        ({"provider_type": "slack", "oidc_well_known_url": "https://slack.com/.well-known/openid-configuration"},
         {"preset": "slack", "issuer": ""}),
        ({"provider_type": "twitter"}, {"preset": "x"}),
        ({"provider_type": "discord"}, {"preset": "discord"}),
    ],
)  # fmt: skip
def test_authentik_source_keeps_its_server(tmp_path: Path, attrs: dict[str, Any], expected: dict[str, str]) -> None:
    """Sources of one server or tenant do not become the public one, and disabled ones stay disabled."""
    file, output = tmp_path / "export.yaml", tmp_path / "portico.yaml"
    entry = {"model": "authentik_sources_oauth.oauthsource", "attrs": SOURCE | attrs}
    file.write_text(json.dumps({"version": 1, "entries": [entry]}))
    convert(output, file, "--organization", "acme", source="authentik")
    source = only(document_in(output).organizations[0])

    assert {name: getattr(source, name) for name in expected} == expected
