"""Conditions of who may sign in: each is converted, or named because it does not apply here (decision 0104)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from portico_contracts.apply import Organization

from .test_documents import apps_of, convert, document_in

SECRET = "a-secret-of-the-provider"


def converted(folder: Path, source: str, content: dict[str, Any]) -> tuple[Result, Organization]:
    file, output = folder / ("realm.json" if source == "keycloak" else "export.yaml"), folder / "portico.yaml"
    file.write_text(json.dumps(content))
    result = convert(output, file, "--organization", "acme", source=source)
    assert result.exit_code == 0, result.stderr
    return result, document_in(output).organizations[0]


def provider(config: dict[str, str], **members: Any) -> dict[str, Any]:
    config = {"clientId": "c", "clientSecret": SECRET, "issuer": "https://idp.example", **config}
    return {"identityProviders": [{"alias": "corp", "providerId": "oidc", "config": config, **members}]}


def directory(**config: str) -> dict[str, Any]:
    config = {
        "connectionUrl": "ldaps://l.example",
        "usersDn": "ou=people",
        "bindDn": "cn=r",
        "bindCredential": SECRET,
    } | config
    ldap = {"name": "ad", "providerId": "ldap", "config": {name: [value] for name, value in config.items()}}
    return {"components": {"org.keycloak.storage.UserStorageProvider": [ldap]}}


@pytest.mark.parametrize(
    ("realm", "told"),
    [
        (provider({"filteredByClaim": "true", "claimFilterName": "dept", "claimFilterValue": "it"}),
         "identity provider corp: not converted: the condition of a claim: every user of the provider can sign in here (filteredByClaim: dept=it)"),
        (provider({"kc.org.domain": "corp.example"}),
         "identity provider corp: not converted: the organization of a provider: users with every email domain can sign in here (corp.example)"),
        (provider({}, organizationId="o1"), "identity provider corp: not converted: the organization of a provider"),
        (provider({}, postBrokerLoginFlowAlias="only staff"),
         "identity provider corp: not converted: the flow after a sign-in with the provider: its conditions do not apply here (only staff)"),
        (directory(customUserSearchFilter="(memberOf=cn=staff)"),
         "user federation ad: not converted: a filter of the directory: every entry below its base DN can sign in here (customUserSearchFilter: (memberOf=cn=staff))"),
        (provider({}, firstBrokerLoginFlowAlias="deny new users"),
         "identity provider corp: not converted: the flow of the first sign-in with the provider: its conditions do not apply here (deny new users)"),
        (directory(searchScope="1"), "user federation ad: not converted: a search of one level"),
        ({"enabled": False}, "enabled: not converted: a disabled realm: its users can sign in here unless you deactivate"),
        ({"browserFlow": "only staff"},
         "browserFlow: not converted: a custom sign-in flow: its conditions do not apply here (only staff)"),
    ],
)  # fmt: skip
def test_condition_of_keycloak_is_named(tmp_path: Path, realm: dict[str, Any], told: str) -> None:
    """Without a line, users whom Keycloak refuses could sign in unnoticed."""
    result, _ = converted(tmp_path, "keycloak", {"realm": "one", **realm})

    assert f"realm.json:1: {told}" in result.stderr


@pytest.mark.parametrize(
    ("text", "domains"),
    [("", None), ("*", None), ("a.example", ("a.example",)), ("a.example,b.example", ("a.example", "b.example"))],
)
def test_domains_of_a_google_provider(tmp_path: Path, text: str, domains: tuple[str, ...] | None) -> None:
    """Keycloak stores them in one text, and checks nothing for an asterisk."""
    realm = provider({"hostedDomain": text}, providerId="google")
    _, organization = converted(tmp_path, "keycloak", {"realm": "one", **realm})

    assert [one.hosted_domains for one in organization.oidc_idps or ()] == [domains]


def test_usual_settings_of_keycloak_are_no_conditions(tmp_path: Path) -> None:
    """The values of every realm give no lines."""
    usual = {
        "enabled": True,
        "browserFlow": "browser",
        **provider({"filteredByClaim": "false"}, firstBrokerLoginFlowAlias="first broker login"),
    }
    result, _ = converted(tmp_path, "keycloak", {"realm": "one", **usual, **directory(searchScope="2")})

    assert "not converted" not in result.stderr


def test_connections_of_auth0_keep_their_applications(tmp_path: Path) -> None:
    """A connection without applications is inactive; one that excludes some has a line, as have grants of APIs."""
    clients = [{"name": name, "client_id": id, "app_type": "spa", "callbacks": [f"https://{id}.example"],
                "grant_types": ["authorization_code"], "token_endpoint_auth_method": "none"}
               for name, id in (("Shop", "shop"), ("Wiki", "wiki"))]  # fmt: skip
    options = {"client_id": "c", "client_secret": SECRET, "issuer": "https://idp.example"}
    enabled = {"all": ["Shop", "wiki"], "some": ["Shop"], "old": [], "unknown": None}
    connections = [
        {"name": name, "strategy": "oidc", "options": options, **({} if names is None else {"enabled_clients": names})}
        for name, names in enabled.items()
    ]
    databases = [{"name": "users", "enabled_clients": ["Wiki"]}]
    content = {"clients": clients, "connections": connections, "databases": databases, "clientGrants": [{"scope": []}]}
    result, organization = converted(tmp_path, "auth0", content)
    excluded = "not converted: a connection of some applications only: its users can sign in to all applications here"
    grants = "the clients of APIs: every application and service user can request the scopes of an API here"

    assert [*apps_of(organization)] == ["shop", "wiki"]
    assert {one.name: one.state for one in organization.oidc_idps or ()} == {
        "all": None, "some": None, "old": "inactive", "unknown": None,
    }  # fmt: skip
    assert [line.partition(": ")[2] for line in result.stderr.splitlines() if "export.yaml" in line] == [
        f"connection some: {excluded} (not Wiki)",
        f"database users: {excluded} (not Shop)",
        f"not converted: {grants} (clientGrants, 1 entries)",
    ]


@pytest.mark.parametrize(
    ("search_filter", "classes", "is_named"),
    [("(objectClass=person)", ("person",), False), ("(&(objectClass=person)(memberOf=cn=staff))", (), True)],
)
def test_filter_of_an_authentik_directory(
    tmp_path: Path, search_filter: str, classes: tuple[str, ...], is_named: bool
) -> None:
    """A filter of one object class is used, and others are named."""
    attrs = {
        "slug": "ad",
        "server_uri": "ldaps://l.example",
        "bind_cn": "cn=r",
        "bind_password": SECRET,
        "base_dn": "dc=x",
    }
    entry = {"model": "authentik_sources_ldap.ldapsource", "attrs": attrs | {"user_object_filter": search_filter}}
    result, organization = converted(tmp_path, "authentik", {"entries": [entry]})
    [ldap] = organization.ldap_idps or ()

    assert ldap.user_object_classes == classes
    assert (f"(user_object_filter: {search_filter})" in result.stderr) is is_named


@pytest.mark.parametrize(("flow", "auto_register"), [({}, True), ({"enrollment_flow": None}, False)])
def test_authentik_source_without_enrolment_creates_no_users(
    tmp_path: Path, flow: dict[str, Any], auto_register: bool
) -> None:
    """Only users who exist can sign in with such a source, as at authentik."""
    attrs = {"slug": "g", "provider_type": "google", "consumer_key": "c", "consumer_secret": SECRET, **flow}
    entry = {"model": "authentik_sources_oauth.oauthsource", "attrs": attrs}
    _, organization = converted(tmp_path, "authentik", {"entries": [entry]})

    assert [one.auto_register for one in organization.oidc_idps or ()] == [auto_register]
