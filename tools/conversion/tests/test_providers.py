"""Identity providers of each source: what is converted, and what is named because it cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from portico_contracts.apply import (
    AutoLinkingOption,
    Document,
    JwtIdp,
    LdapAttributes,
    LdapIdp,
    Oauth2Idp,
    OidcIdp,
    Organization,
    ProviderOptions,
)

from .test_documents import convert, document_in, realm_file

KEY_LINES = "MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg" + "A" * 40
KEY = f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES[:64]}\n{KEY_LINES[64:]}\n-----END PRIVATE KEY-----\n"
TENANT = "11111111-2222-3333-4444-555555555555"
ISSUER = f"https://login.microsoftonline.com/{TENANT}/v2.0"
GITHUB_AT_WORK = (
    "github-enterprise",
    "https://git.example/login/oauth/authorize",
    "https://git.example/login/oauth/access_token",
    "https://git.example/api/v3/user",
)


def keycloak(folder: Path, kind: str, config: dict[str, str], **members: Any) -> tuple[Result, Organization]:
    config = {"clientId": "c", "clientSecret": "a-secret-of-the-provider", **config}
    provider = {"alias": "idp", "providerId": kind, "config": config, **members}
    file, output = realm_file(folder, {"realm": "one", "identityProviders": [provider]}), folder / "portico.yaml"
    result = convert(output, file)
    return result, document_in(output).organizations[0]


def only(organization: Organization | Document) -> OidcIdp | Oauth2Idp | LdapIdp | JwtIdp:
    lists = (organization.oidc_idps, organization.oauth2_idps, organization.ldap_idps, organization.jwt_idps)
    [found] = [one for idps in lists for one in idps or ()]
    return found


@pytest.mark.parametrize("config", [{"p8Content": KEY, "clientSecret": ""}, {"clientSecret": KEY_LINES}])
def test_apple_of_keycloak_keeps_its_key(tmp_path: Path, config: dict[str, str]) -> None:
    """Both extensions are read: one stores the file, the other its lines without the first and the last one."""
    result, organization = keycloak(tmp_path, "apple", {**config, "teamId": "TEAM123456", "keyId": "KEY1234567"})
    apple = only(organization)

    assert isinstance(apple, OidcIdp)
    assert (apple.preset, apple.team_id, apple.key_id) == ("apple", "TEAM123456", "KEY1234567")
    assert apple.client_secret == KEY
    assert "MIGTAg" not in result.output


def test_id_of_a_provider_needs_no_encoding_in_its_redirect_uri(tmp_path: Path) -> None:
    """Other characters of an alias are written with a tilde, so that different aliases have different ids."""
    _, organization = keycloak(tmp_path, "google", {}, alias="corp/idp \u00e9")

    assert only(organization).id == "one-corp~2Fidp~20~C3~A9"


def test_keycloak_provider_keeps_its_server(tmp_path: Path) -> None:
    """GitHub Enterprise, one Microsoft tenant and a plain OAuth 2 provider do not become the public one."""
    _, with_github = keycloak(tmp_path, "github", {"baseUrl": "https://git.example/"})
    _, with_tenant = keycloak(tmp_path, "microsoft", {"tenantId": TENANT})
    any_tenant, with_any = keycloak(tmp_path, "microsoft", {})
    no_id, without = keycloak(tmp_path, "microsoft", {"tenantId": "acme.example"})
    config = {"authorizationUrl": "https://o.example/a", "tokenUrl": "https://o.example/t", "userIDClaim": "uid"}
    _, with_oauth2 = keycloak(tmp_path, "oauth2", {**config, "userInfoUrl": "https://o.example/u"}, enabled=False)
    github, microsoft, everyone, oauth2 = map(only, (with_github, with_tenant, with_any, with_oauth2))

    assert isinstance(github, Oauth2Idp)
    assert isinstance(microsoft, OidcIdp)
    assert isinstance(everyone, OidcIdp)
    assert isinstance(oauth2, Oauth2Idp)
    assert (
        github.preset,
        github.authorization_endpoint,
        github.token_endpoint,
        github.userinfo_endpoint,
    ) == GITHUB_AT_WORK
    assert (microsoft.issuer, everyone.issuer) == (ISSUER, "")
    assert "changed: a Microsoft provider: accounts of every organization can sign in" in any_tenant.stderr
    assert "not converted: a Microsoft provider of one tenant whose id is not in the export" in no_id.stderr
    assert without.oidc_idps is None
    assert (oauth2.userinfo_endpoint, oauth2.state, oauth2.claims and oauth2.claims.subject) == (
        "https://o.example/u", "inactive", "uid",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "config", "expected"),
    [
        ("keycloak-oidc", {"issuer": "https://k.example/realms/a"}, ("keycloak", "https://k.example/realms/a")),
        ("linkedin-openid-connect", {}, ("linkedin", "")),
        ("facebook", {}, ("facebook", "")),
    ],
)
def test_keycloak_providers_have_their_presets(
    tmp_path: Path, kind: str, config: dict[str, str], expected: tuple[str, str]
) -> None:
    found = only(keycloak(tmp_path, kind, config)[1])

    assert (getattr(found, "preset", None), getattr(found, "issuer", "")) == expected


def test_keycloak_provider_keeps_its_trust(tmp_path: Path) -> None:
    """Of every kind: verified addresses of the provider would need a code again."""
    config = {"authorizationUrl": "https://o.example/a", "tokenUrl": "https://o.example/t"}
    found = [
        only(keycloak(tmp_path, kind, config if kind == "oauth2" else {}, trustEmail=trusted)[1])
        for kind in ("google", "github", "oauth2")
        for trusted in (True, False)
    ]

    assert [isinstance(one, OidcIdp | Oauth2Idp) and one.trusted_email for one in found] == [True, False] * 3


def test_mappers_of_groups_in_a_keycloak_directory_are_named(tmp_path: Path) -> None:
    """Users would lose the groups and roles that the directory gives them; mappers of attributes are usual."""
    config = {"connectionUrl": "ldaps://l.example", "bindDn": "cn=r", "bindCredential": "a-password"}
    attribute = {"user.model.attribute": ["email"]}
    names = ("group-ldap-mapper", "role-ldap-mapper", "user-attribute-ldap-mapper")
    ldap = {
        "name": "ad",
        "providerId": "ldap",
        "config": {name: [value] for name, value in config.items()},
        "subComponents": {"mappers": [{"name": "teams", "providerId": name, "config": attribute} for name in names]},
    }
    realm = {"realm": "one", "components": {"org.keycloak.storage.UserStorageProvider": [ldap]}}
    result = convert(tmp_path / "portico.yaml", realm_file(tmp_path, realm))

    assert [line for line in result.stderr.splitlines() if "mapper" in line and "user federation" in line] == [
        f"realm.json:1: user federation ad: not converted: a mapper of the directory: groups and roles of its entries are not read (teams, {name})"
        for name in names[:2]
    ]


@pytest.mark.parametrize("written", ["nsuniqueid", "ipaUniqueID", "entryuuid"])
def test_keycloak_directory_keeps_its_identifier(tmp_path: Path, written: str) -> None:
    """Keycloak writes the attribute of 389 Directory Server in lower case; names of attributes have none (RFC 4512)."""
    config = {
        "connectionUrl": ["ldaps://ldap.acme.example"],
        "bindCredential": ["a-secret-of-the-directory"],
        "usersDn": ["dc=acme"],
        "bindDn": ["cn=keycloak"],
        "uuidLDAPAttribute": [written],
    }
    ldap = {"name": "directory", "providerId": "ldap", "config": config}
    realm = {"realm": "one", "components": {"org.keycloak.storage.UserStorageProvider": [ldap]}}
    output = tmp_path / "portico.yaml"
    result = convert(output, realm_file(tmp_path, realm))
    found = only(document_in(output).organizations[0])

    assert isinstance(found, LdapIdp)
    assert found.attributes is not None
    assert found.attributes.id_attribute.lower() == written.lower()
    assert "identifies users by an attribute" not in result.output


def listed(id: str, kind: str, config: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A provider in the answer of ListProviders; its secret was added by hand."""
    options = {"isLinkingAllowed": True, "isAutoCreation": True, "autoLinking": "AUTO_LINKING_OPTION_EMAIL"}
    return {
        "id": id, "name": f"the {id}", "state": "IDP_STATE_ACTIVE", "owner": "IDP_OWNER_TYPE_ORG",
        "details": {"resourceOwner": "o1", "sequence": "7"}, "config": {"options": options, kind: config}, **members,
    }  # fmt: skip


def zitadel(folder: Path, *providers: dict[str, Any], **members: Any) -> tuple[Result, Document]:
    export, answer, output = folder / "export.json", folder / "providers.json", folder / "portico.yaml"
    export.write_text(json.dumps({"orgs": [{"orgId": "o1", "org": {"name": "Acme"}, **members}]}))
    answer.write_text(json.dumps({"result": providers}))
    result = convert(output, export, answer, source="zitadel")
    assert result.exit_code == 0, result.stderr
    return result, document_in(output)


CLIENT = {"clientId": "c", "clientSecret": "a-secret-of-the-provider"}
OAUTH = {
    "authorizationEndpoint": GITHUB_AT_WORK[1],
    "tokenEndpoint": GITHUB_AT_WORK[2],
    "userEndpoint": GITHUB_AT_WORK[3],
}


@pytest.mark.parametrize(
    ("kind", "config", "expected"),
    [
        ("oidc", CLIENT | {"issuer": "https://i.example", "scopes": ["email"]},
         {"preset": "oidc", "issuer": "https://i.example", "scopes": ("email",)}),
        ("google", CLIENT | {"scopes": ["openid"]}, {"preset": "google", "client_id": "c", "scopes": ()}),
        ("gitlab", CLIENT, {"preset": "gitlab", "client_secret": "a-secret-of-the-provider"}),
        ("gitlabSelfHosted", CLIENT | {"issuer": "https://i.example"},
         {"preset": "gitlab-self-managed", "issuer": "https://i.example"}),
        ("azureAd", CLIENT | {"tenant": {"tenantId": TENANT}}, {"preset": "entra", "issuer": ISSUER}),
        ("azureAd", CLIENT | {"tenant": {"tenantType": "AZURE_AD_TENANT_TYPE_ORGANISATIONS"}},
         {"preset": "entra", "issuer": ""}),
        ("apple", {"clientId": "c", "teamId": "TEAM123456", "keyId": "KEY1234567", "privateKey": KEY},
         {"preset": "apple", "team_id": "TEAM123456", "key_id": "KEY1234567", "client_secret": KEY}),
        ("github", CLIENT, {"preset": "github", "client_id": "c", "claims": None}),
        ("githubEs", CLIENT | OAUTH, {"preset": GITHUB_AT_WORK[0], "authorization_endpoint": GITHUB_AT_WORK[1]}),
        ("oauth", CLIENT | OAUTH | {"idAttribute": "uid"},
         {"preset": "oauth2", "token_endpoint": GITHUB_AT_WORK[2], "userinfo_endpoint": GITHUB_AT_WORK[3]}),
        ("jwt", {"jwtEndpoint": "https://p.example", "issuer": "i", "keysEndpoint": "https://p.example/keys"},
         {"jwt_endpoint": "https://p.example", "issuer": "i", "keys_endpoint": "https://p.example/keys"}),
        ("ldap", {"servers": ["ldaps://l.example"], "baseDn": "dc=x", "bindDn": "cn=y", "bindPassword": "a-password",
                  "userFilters": ["uid"], "attributes": {"idAttribute": "entryUUID", "emailAttribute": "mail"}},
         {"servers": ("ldaps://l.example",), "bind_password": "a-password", "user_filters": ("uid",),
          "attributes": LdapAttributes(id_attribute="entryUUID", email_attribute="mail")}),
    ],
)  # fmt: skip
def test_each_kind_of_zitadel_is_converted(
    tmp_path: Path, kind: str, config: dict[str, Any], expected: dict[str, Any]
) -> None:
    """Id, client, server and options are retained; the secret is the one that was added to the answer."""
    result, document = zitadel(tmp_path, listed("i1", kind, config))
    found = only(document.organizations[0])

    assert {name: getattr(found, name) for name in expected} == expected
    assert (found.id, found.name, found.auto_register) == ("i1", "the i1", True)
    assert found.provider_options == ProviderOptions(is_creation_allowed=False, auto_linking=AutoLinkingOption.EMAIL)
    assert "a-secret" not in result.output


def test_zitadel_providers_that_cannot_be_moved_are_named(tmp_path: Path) -> None:
    """SAML, a missing secret, a directory without TLS and personal Microsoft accounts have a line each."""
    plain = {"servers": ["ldap://l.example"], "bindPassword": "a-password"}
    result, document = zitadel(
        tmp_path,
        listed("s", "saml", {"metadataXml": "PHg+"}),
        listed("g", "google", {"clientId": "c"}),
        listed("l", "ldap", plain),
        listed("m", "azureAd", CLIENT | {"tenant": {"tenantType": "AZURE_AD_TENANT_TYPE_CONSUMERS"}}),
    )

    for told in (
        "the s: not converted: an identity provider of a kind that is not supported (saml)",
        "the g: not converted: an identity provider whose secret is not in the export: add it with its secret (g)",
        "the l: not converted: ldap:// without StartTLS",
        "the m: not converted: a Microsoft provider of one tenant",
    ):
        assert f"providers.json:1: identity provider {told}" in result.stderr
    assert document.organizations[0].oidc_idps is None


def test_buttons_of_zitadel_are_those_of_its_login_policy(tmp_path: Path) -> None:
    """Providers of the instance stay there, in whichever answer they are; others are not offered suddenly."""
    shared = listed("shared", "google", CLIENT, owner="IDP_OWNER_TYPE_SYSTEM")
    saml = listed("saml", "saml", {})
    idps = [{"idpId": one} for one in ("shared", "shown", "saml")]
    exported = [{"idpId": "old", "idp": {"name": "old", **CLIENT, "issuer": "https://i.example"}}]
    _, document = zitadel(
        tmp_path,
        *(listed("shown", "github", CLIENT), listed("hidden", "gitlab", CLIENT), shared, saml, shared),
        loginPolicy={"allowExternalIdp": True, "idps": idps},
        oidcIdps=exported,
    )
    [organization] = document.organizations

    assert only(document).id == "shared"
    assert [one.id for one in organization.oidc_idps or ()] == ["old", "hidden"]
    assert organization.login_policy
    assert organization.login_policy.idps == ("shared", "shown")


def test_other_file_of_zitadel_is_refused(tmp_path: Path) -> None:
    """A file that is neither an export nor an answer of the API ends the conversion with its place."""
    export, other, output = tmp_path / "export.json", tmp_path / "other.json", tmp_path / "portico.yaml"
    export.write_text(json.dumps({"orgs": [{"orgId": "o1"}]}))
    other.write_text('{"result": [{"name": "x"}]}')
    result = convert(output, export, other, source="zitadel")

    assert result.exit_code == 1
    assert "other.json:1: This is neither a ZITADEL export nor an answer of ListApps, ListProviders or" in result.stderr
    assert not output.exists()
