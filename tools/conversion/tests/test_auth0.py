from __future__ import annotations

import json
from pathlib import Path

import pytest
from portico_contracts.apply import PasswordPolicy, RoleGrant

from .test_documents import apps_of, convert, document_in

TENANT = """\
tenant:
  friendly_name: Acme
  session_lifetime: 72
clients:
  - name: Shop
    client_id: xShopXshopXshopXshopXshopXshopXs
    client_secret: the-secret-of-the-shop-at-auth0-0123456789
    app_type: regular_web
    callbacks: ["https://shop.example/cb", "https://*.shop.example/cb", "https://{organization_name}.shop.example/cb"]
    allowed_logout_urls: ["https://shop.example/bye"]
    grant_types: [authorization_code, refresh_token, client_credentials, password]
    token_endpoint_auth_method: client_secret_post
    jwt_configuration: {alg: HS256, lifetime_in_seconds: 36000}
    is_first_party: false
    initiate_login_uri: https://shop.example/start
  - name: Front end
    client_id: xSpaXspaX
    app_type: spa
    callbacks: ["http://localhost:3000"]
    grant_types: [authorization_code, implicit]
    token_endpoint_auth_method: none
    web_origins: ["http://localhost:3000"]
  - name: Job
    client_id: xJobXjobX
    client_secret: "##JOB_SECRET##"
    app_type: non_interactive
    grant_types: [client_credentials]
resourceServers:
  - {name: Orders, identifier: "https://orders.example", scopes: [{value: "read:orders", description: See orders}]}
  - {name: Management, identifier: "https://acme.eu.auth0.com/api/v2/", scopes: []}
roles:
  - {name: Admin, description: App Admin, permissions: [{permission_name: "read:orders"}]}
databases:
  - {name: users, options: {passwordPolicy: good, disable_signup: true, password_complexity_options: {min_length: 12}, password_history: {enable: true}}}
connections:
  - {name: google, strategy: google-oauth2, options: {client_id: g, client_secret: g-secret-0123456789, upstream_params: {prompt: {value: login}}}}
  - {name: saml, strategy: samlp, options: {}}
attackProtection: {suspiciousIpThrottling: {enabled: true}, botDetection: {response: 1}}
networkACLs:
  - description: Office
    active: true
    rule: {action: {block: true}, scope: tenant, not_match: {ipv4_cidrs: [203.0.113.0/24, 198.51.100.7]}, match: {geo_country_codes: [KP]}}
guardianPolicies: {policies: [all-applications]}
actions:
  - name: Add claims
    supported_triggers: [{id: post-login, version: v3}]
    code: |
      exports.onExecutePostLogin = async (event, api) => {
        if (event.authorization) api.idToken.setCustomClaim("https://acme.example/roles", event.authorization.roles);
        api.accessToken.setCustomClaim('department', event.user.app_metadata.department);
        const secret = "s3cr3t-of-the-action";
      };
  - {name: By country, code: 'if (event.request.geoip.countryCode === "KP") api.access.deny("no");'}
rules: [{name: Old, stage: login_success, script: 'function (user, context, cb) { context.idToken["https://acme.example/plan"] = user.user_metadata.plan; }'}]
hooks: [{name: one}]
"""


def test_auth0_tenant_becomes_a_document(tmp_path: Path) -> None:
    """Clients, APIs with scopes, roles, connections and rules are converted; the rest is named with its line."""
    tenant, output = tmp_path / "tenant.yaml", tmp_path / "portico.yaml"
    tenant.write_text(TENANT)
    result = convert(output, tenant, "--organization", "acme", source="auth0")
    [organization] = document_in(output).organizations
    [project] = organization.projects or ()
    shop, spa = apps_of(organization).values()
    [api] = project.api_apps or ()

    assert result.exit_code == 0
    assert (organization.id, organization.name) == ("acme", "Acme")
    assert (shop.client_secret, shop.consent) == ("the-secret-of-the-shop-at-auth0-0123456789", "once")
    assert shop.redirect_uris == ("https://shop.example/cb",)
    assert (spa.app_type, spa.auth_method_type) == ("OIDC_APP_TYPE_USER_AGENT", "OIDC_AUTH_METHOD_TYPE_NONE")
    assert (api.client_id, api.resources) == ("acme-Orders", ("https://orders.example",))
    assert [one.scope for one in api.scopes] == ["read:orders"]
    assert [one.username for one in organization.service_users or ()] == ["xJobXjobX"]
    assert [one.id for one in organization.oidc_idps or ()] == ["acme-google"]
    assert organization.password_policy == PasswordPolicy(min_length=12)
    assert organization.login_policy
    assert organization.login_policy.force_mfa is True
    for told in (
        "tenant.yaml:5: client xShopXshopXshopXshopXshopXshopXs: not converted: a redirect URI with a wildcard",
        "a redirect URI with {organization_name}: register each complete URI",
        "not converted: a grant type that is not supported (password)",
        "the signing algorithm of ID tokens: RS256 is used (HS256)",
        "an unsupported member (initiate_login_uri)",
        "client xShopXshopXshopXshopXshopXshopXs: not converted: an unsupported member (jwt_configuration.lifetime_in_seconds)",
        "database users: not converted: an unsupported member (options.password_history)",
        "connection google: not converted: an unsupported member (options.upstream_params)",
        "tenant: not converted: an unsupported member (session_lifetime)",
        "attackProtection: not converted: throttling of addresses: wrong passwords from one address are slowed down",
        "attackProtection: not converted: a part of the tenant without counterpart (botDetection)",
        "network ACL Office: not converted: a network ACL: add rules by network and country (signInFrom) (match geo_country_codes KP, not_match ipv4_cidrs 203.0.113.0/24 198.51.100.7)",
        "action By country: not converted: code that reads the address or country of the user: add rules by network and country (signInFrom)",
        "  5 x not converted: an unsupported member",
        "client xJobXjobX: not converted: a placeholder instead of a value: set it with --env, or replace it in the file (client_secret: ##JOB_SECRET##)",
        "connection saml: not converted: an identity provider of a kind that is not supported (samlp)",
        "tenant.yaml:1: not converted: a part of the tenant without counterpart (hooks)",
        "action Add claims: not converted: code: it does not run here; give its claims by claim rules, or by a token hook (post-login, https://acme.example/roles, department of the metadata department)",
        "rule Old: not converted: code: it does not run here; give its claims by claim rules, or by a token hook (https://acme.example/plan of the metadata plan)",
    ):
        assert told in result.stderr
    assert "the-secret-of-the-shop" not in result.output
    assert "s3cr3t-of-the-action" not in result.output


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("clients: [", "tenant.yaml:1: Invalid YAML"),
        ("- a", "The file is not a mapping."),
        ("pages: []", "it is not an export of the Auth0 deploy CLI"),
        ("clients: &a [*a]", "nested too deeply"),
        ("clients: " + "[" * 30_000, "tenant.yaml:1: Invalid YAML: the document is nested too deeply."),
        ("clients: 1" + ":1" * 250_000, "tenant.yaml:1: Invalid YAML: a value that is not text has more than 100 characters."),
        pytest.param("a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)) + "clients: *g", "too many values", marks=pytest.mark.slow),
        ("clients: !!python/object/apply:os.system [ls]", "nothing to convert"),
    ],
)  # fmt: skip
def test_broken_yaml_writes_nothing(tmp_path: Path, content: str, told: str) -> None:
    """Cut, recursive and exploding documents are refused; tags construct nothing."""
    tenant, output = tmp_path / "tenant.yaml", tmp_path / "portico.yaml"
    tenant.write_text(content)
    result = convert(output, tenant, source="auth0")

    assert (told in result.stderr and not output.exists()) or "nothing" in told


def test_roles_of_auth0_users_are_in_the_second_document(tmp_path: Path) -> None:
    """Roles come from a file of their own; unknown roles, blocked users and users without an export are named."""
    tenant, users, roles = (tmp_path / name for name in ("tenant.yaml", "users.ndjson", "roles.ndjson"))
    output = tmp_path / "grants.yaml"
    tenant.write_text(TENANT)
    people = [{"user_id": f"auth0|{number}", "email": f"{number}@acme.example"} for number in range(3)]
    users.write_text("\n".join(json.dumps(one | {"blocked": one["user_id"] == "auth0|1"}) for one in people))
    given = [("Admin", 0), ("Gone", 0), ("Admin", 1), ("Admin", 7)]
    roles.write_text("\n".join(json.dumps({"role": role, "user_id": f"auth0|{number}"}) for role, number in given))
    result = convert(output, tenant, users, roles, "--grants", "--organization", "acme", source="auth0")
    [organization] = document_in(output).organizations

    assert result.exit_code == 0, result.stderr
    assert [(user.id, user.grants) for user in organization.humans or ()] == [
        ("auth0|0", (RoleGrant(project="acme-project", role_keys=("Admin",)),))
    ]
    for told in (
        "roles.ndjson:2: user 0@acme.example: not converted: a role of a user that is not a role of the tenant (Gone)",
        "roles.ndjson:3: user auth0|1: not converted: roles of a user who is not among the users that can be imported",
        "roles.ndjson:4: user auth0|7: not converted: roles of a user who is not among the users that can be imported",
    ):
        assert told in result.stderr


def test_auth0_users_without_one_tenant_are_refused(tmp_path: Path) -> None:
    """Roles belong to one tenant, and a users file alone has no project."""
    users = tmp_path / "users.ndjson"
    users.write_text('{"user_id": "auth0|1"}')
    result = convert(tmp_path / "grants.yaml", users, "--grants", source="auth0")

    assert result.exit_code == 1
    assert "Give tenant.yaml of one tenant with the files of its users and roles." in result.stderr


def test_auth0_tenant_without_roles_of_users_says_so(tmp_path: Path) -> None:
    """The second document is empty of users, and the summary names why."""
    tenant = tmp_path / "tenant.yaml"
    tenant.write_text(TENANT)
    result = convert(tmp_path / "grants.yaml", tenant, "--grants", source="auth0")

    assert "1 x note: role grants of users: no file has them" in result.stderr
