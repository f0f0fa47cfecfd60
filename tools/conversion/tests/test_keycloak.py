"""Parts of a Keycloak realm that are easily lost: each is converted or has a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from portico_contracts.apply import Organization

from . import converting
from .test_documents import apps_of, client, convert, document_in, realm_file


def keycloak(folder: Path, **realm: Any) -> tuple[Result, Organization]:
    output = folder / "portico.yaml"
    result = convert(output, realm_file(folder, {"realm": "one", **realm}))
    return result, document_in(output).organizations[0]


def test_name_of_a_secret_in_a_vault_is_no_secret(tmp_path: Path) -> None:
    """Keycloak reads the secret from the vault: the name would be sent to the provider or the directory instead."""
    google = {"alias": "g", "providerId": "google", "config": {"clientId": "c", "clientSecret": "${vault.google}"}}
    config = {"connectionUrl": "ldaps://l.example", "bindDn": "cn=r", "bindCredential": "${vault.ldap-password}"}
    ldap = {"name": "ad", "providerId": "ldap", "config": {name: [value] for name, value in config.items()}}
    result, organization = keycloak(
        tmp_path,
        clients=[client("shop", secret="${vault.secret-of-the-shop}")],
        identityProviders=[google],
        components={"org.keycloak.storage.UserStorageProvider": [ldap]},
    )

    assert (organization.oidc_idps, organization.ldap_idps) == (None, None)
    assert apps_of(organization)["shop"].client_secret is None
    for told in (
        "identity provider g: skipped: it has a placeholder, without whose value others could sign in",
        "user federation ad: skipped: it has a placeholder",
        "client shop: not converted: a placeholder instead of a value: set it with --env, or replace it in the file (secret: ${vault.secret-of-the-shop})",
    ):
        assert told in result.stderr


def mapper(kind: str, claim: str, **config: str) -> dict[str, Any]:
    return {"name": claim, "protocolMapper": kind, "config": {"claim.name": claim, **config}}


def test_changed_mappers_of_built_in_scopes_are_read(tmp_path: Path) -> None:
    """The scopes `roles` and `profile` are where administrators of Keycloak rename and add claims."""
    role, attribute = "oidc-usermodel-realm-role-mapper", "oidc-usermodel-attribute-mapper"
    scopes = [
        {"name": "roles", "protocolMappers": [mapper(role, "roles", **{"access.token.claim": "true"})]},
        {"name": "profile", "protocolMappers": [mapper(attribute, "nickname"), mapper(attribute, "department")]},
    ]
    names = ["roles", "profile"]
    result, organization = keycloak(tmp_path, clientScopes=scopes, clients=[client("shop", defaultClientScopes=names)])
    shop = apps_of(organization)["shop"]

    assert (shop.roles_claim, shop.access_token_role_assertion) == ("roles", True)
    assert f"client shop: not converted: a claim of a protocol mapper (department, {attribute})" in result.stderr
    assert "nickname" not in result.stderr


def test_usual_mappers_of_built_in_scopes_have_no_lines(tmp_path: Path) -> None:
    """Every realm has them, and every client uses them."""
    realm = json.loads((converting.EXPORTS / "keycloak-26-realm.json").read_text())
    names = [scope["name"] for scope in realm["clientScopes"] if scope["protocol"] == "openid-connect"]
    result, _ = keycloak(
        tmp_path, clientScopes=realm["clientScopes"], clients=[client("shop", defaultClientScopes=names)]
    )

    assert len(names) > 8
    assert "client shop" not in result.stderr


def test_attributes_of_keycloak_roles_are_named(tmp_path: Path) -> None:
    """Attributes of roles have a line, as those of groups have."""
    role = {"name": "buyer", "attributes": {"limit": ["100"]}}
    result, _ = keycloak(tmp_path, roles={"realm": [role, {"name": "seller", "attributes": {}}]})

    assert "role buyer: not converted: attributes of a role (limit)" in result.stderr
    assert "role seller" not in result.stderr


def test_parts_of_a_realm_without_counterpart_are_counted(tmp_path: Path) -> None:
    """New users of Keycloak get the default groups, so they have a line."""
    more = {"scopeMappings": [{"client": "shop"}], "clientPolicies": {}, "webAuthnPolicySignatureAlgorithms": ["ES256"]}
    result, _ = keycloak(tmp_path, defaultGroups=["/staff"], **more)

    assert "a part of the realm without counterpart (defaultGroups, 1 entries)" in result.stderr
    assert "2 x note: settings of the realm without counterpart" in result.stderr


@pytest.mark.parametrize(
    ("role", "told"), [("offline_access", False), ("offline_access_admin", True), ("default-roles-one", False)]
)
def test_roles_of_users_with_the_name_of_a_built_in_one_are_named(tmp_path: Path, role: str, told: bool) -> None:
    """Only the built-in roles themselves are no loss."""
    user = {"username": "ada", "email": "a@one.example", "enabled": True, "realmRoles": [role]}
    result = converting.convert("keycloak", realm_file(tmp_path, {"realm": "one", "users": [user]}))

    assert (f"ada: not converted: roles ({role})" in result.stderr) is told


def people(folder: Path, *arguments: str, **realms: list[str]) -> Result:
    exported = [
        {"realm": realm, "users": [{"username": one, "email": f"{one}@x.example", "enabled": True} for one in names]}
        for realm, names in realms.items()
    ]
    return converting.convert("keycloak", realm_file(folder, *exported), *arguments)


def test_users_of_one_realm_are_converted(tmp_path: Path) -> None:
    """Rows do not name their realm: users of several would become users of one organization."""
    realms = {"master": ["admin"], "one": ["ada"], "two": ["bob"]}
    mixed, chosen, absent = (
        people(tmp_path, *more, **realms) for more in ((), ("--realm", "two"), ("--realm", "three"))
    )
    single = people(tmp_path, master=["admin"], one=["ada"])
    master = people(tmp_path, "--realm", "master", **realms)

    assert (mixed.exit_code, "Name the one to convert with --realm." in mixed.stderr) == (1, True)
    assert (absent.exit_code, "The export has no realm three." in absent.stderr) == (1, True)
    assert [[row["username"] for row in converting.rows(one)] for one in (chosen, single, master)] == [
        ["bob"],
        ["ada"],
        ["admin"],
    ]
    assert "realm master: skipped: the realm master: its users administer Keycloak" in single.stderr


@pytest.mark.parametrize(
    ("realm", "client_id", "is_converted"),
    [
        ("one", "account-console", False),
        ("one", "dash-realm", True),
        ("one", "one-realm", True),
        ("master", "one-realm", False),
        ("master", "master-realm", False),
        ("master", "dash-realm", True),
    ],
)
def test_only_clients_of_keycloak_itself_are_left_out(
    tmp_path: Path, realm: str, client_id: str, *, is_converted: bool
) -> None:
    """The realm master has a client for each realm; the display name of a client does not matter (decision 0113)."""
    roles = {"client": {client_id: [{"name": "of-the-client"}]}}
    realms = [
        {"realm": one, "clients": [client(client_id, name="${client_dash}")], "roles": roles} if one == realm else {"realm": one}
        for one in ("one", "master")
    ]  # fmt: skip
    file, output = tmp_path / "realm.json", tmp_path / "portico.yaml"
    file.write_text(json.dumps(realms))
    result = convert(output, file, "--realm", realm)
    text = output.read_text()

    assert (f"clientId: {client_id}" in text, "of-the-client" in text) == (is_converted, is_converted)
    assert (f"  1 x note: a client of Keycloak itself: {client_id}" in result.stderr) is not is_converted


RESOURCE = """\
apiVersion: k8s.keycloak.org/v2alpha1
kind: KeycloakRealmImport
metadata: {name: home}
spec:
  keycloakCRName: keycloak
  realm:
    realm: home
    enabled: true
    clients:
    - clientId: shop
      secret: a-secret-of-the-shop
      redirectUris: ["https://shop.example/cb"]
    - clientId: dash
      secret: ${DASH_SECRET:default}
    users:
    - username: ada
      id: "0017"
      enabled: true
      email: ada@home.example
"""


def test_realm_in_a_kubernetes_resource_is_read(tmp_path: Path) -> None:
    """Findings have the lines of the YAML, and other parts of the resource are named."""
    file, output = tmp_path / "home.yaml", tmp_path / "portico.yaml"
    file.write_text(RESOURCE)
    result = convert(output, file)
    users = converting.convert("keycloak", file)
    apps = apps_of(document_in(output).organizations[0])

    assert {name: app.client_secret for name, app in apps.items()} == {"shop": "a-secret-of-the-shop", "dash": None}
    assert "home.yaml:14: client dash: not converted: a placeholder instead of a value" in result.stderr
    assert "  1 x note: parts of the Kubernetes resource without counterpart: spec.keycloakCRName" in result.stderr
    assert [(row["userId"], row["username"]) for row in converting.rows(users)] == [("0017", "ada")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "kind: Secret\nspec: {realm: {realm: one}}\n",
            "home.yaml: The file is neither JSON nor a KeycloakRealmImport",
        ),
        ("kind: KeycloakRealmImport\nspec: {realm: 7}\n", "home.yaml: The file is neither JSON nor a"),
        ("kind: KeycloakRealmImport\nspec:\n realm: {realm: !x one}\n", "home.yaml:3: The tag !x has no meaning here."),
        ("kind: &a [*a]\n", "home.yaml:1: The document is nested too deeply"),
        ("realm one", "home.yaml: The file is neither JSON nor a KeycloakRealmImport with spec.realm."),
        ("kind: [", "home.yaml:1: Invalid YAML"),
    ],
)
def test_other_yaml_is_refused(tmp_path: Path, text: str, told: str) -> None:
    file, output = tmp_path / "home.yaml", tmp_path / "portico.yaml"
    file.write_text(text)

    for refused in (convert(output, file), converting.convert("keycloak", file)):
        assert refused.exit_code == 1
        assert told in refused.stderr


def test_access_tokens_of_every_client_are_readable(tmp_path: Path) -> None:
    """Keycloak issues JWTs, which keycloak-js and gateways decode."""
    clients = [client("spa", publicClient=True, webOrigins=["+"]), client("web"), client("api", bearerOnly=True),
               client("job", standardFlowEnabled=False, serviceAccountsEnabled=True)]  # fmt: skip
    _, organization = keycloak(tmp_path, clients=clients)

    assert {app.access_token_type for app in apps_of(organization).values()} == {"OIDC_TOKEN_TYPE_JWT"}
    assert [one.access_token_type for one in organization.service_users or ()] == ["OIDC_TOKEN_TYPE_JWT"]


def test_lifetimes_of_clients_are_converted(tmp_path: Path) -> None:
    """Client sessions end refresh tokens; what an installation does not allow by default has a line."""
    times = {"access.token.lifespan": "300", "client.session.idle.timeout": "1800"}
    clients = [client("web", attributes=times), client("long", attributes={"access.token.lifespan": "36000"})]
    result, organization = keycloak(tmp_path, clients=clients)
    web, long = (apps_of(organization)[name] for name in ("web", "long"))

    assert (web.access_token_seconds, web.refresh_token_idle_seconds, web.refresh_token_seconds) == (300, 1_800, 0)
    assert long.access_token_seconds == 0
    assert "(access.token.lifespan=36000)" in result.stderr


@pytest.mark.parametrize(
    ("kind", "claim", "attribute", "told"),
    [
        ("oidc-usermodel-attribute-mapper", "phone_number", "phoneNumber", ""),
        (
            "oidc-usermodel-attribute-mapper",
            "email",
            "workEmail",
            "email, oidc-usermodel-attribute-mapper of workEmail",
        ),
        ("oidc-hardcoded-claim-mapper", "locale", "", "locale, oidc-hardcoded-claim-mapper"),
    ],
)
def test_standard_claim_with_another_value_is_named(
    tmp_path: Path, kind: str, claim: str, attribute: str, told: str
) -> None:
    """The claim has the value of the user here, and applications would not notice."""
    mappers = [mapper(kind, claim, **{"user.attribute": attribute})]
    result, _ = keycloak(tmp_path, clients=[client("shop", protocolMappers=mappers)])

    assert ("a claim of a protocol mapper" in result.stderr) is bool(told)
    assert told in result.stderr
