from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from portico_contracts.apply import FirstFactorName, LockoutPolicy, Member, Organization, PasswordPolicy, RoleGrant
from portico_conversion.applications.zitadel.members import INSTANCE, ROLES
from portico_conversion.event_logs import zitadel
from portico_conversion.findings import Findings
from portico_users.administrators.permissions import Scope, roles_in

from .converting import EXPORTS, rows
from .converting import convert as convert_users
from .test_documents import convert, document_in

PEM = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
WEB = {
    "projectId": "p1",
    "name": "Web",
    "redirectUris": ["https://shop.example/cb"],
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
    "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
    "appType": "OIDC_APP_TYPE_WEB",
    "authMethodType": "OIDC_AUTH_METHOD_TYPE_BASIC",
    "accessTokenType": "OIDC_TOKEN_TYPE_JWT",
    "clockSkew": "3s",
    "version": "OIDC_VERSION_1_0",
    "devMode": True,
}
ORG: dict[str, Any] = {
    "orgId": "o1",
    "org": {"name": "Acme"},
    "loginPolicy": {"allowRegister": True, "allowUsernamePassword": True, "forceMfa": True, "passwordlessType": "X"},
    "lockoutPolicy": {"maxPasswordAttempts": 5},
    "passwordComplexityPolicy": {"minLength": "12", "hasNumber": True},
    "projects": [{"projectId": "p1", "project": {"name": "shop", "projectRoleAssertion": True}}],
    "projectRoles": [{"projectId": "p1", "roleKey": "editor", "displayName": "Editor", "group": "x"}],
    "oidcApps": [{"appId": "a1", "app": WEB}, {"appId": "a2", "app": {"projectId": "p1", "name": "Old"}}],
    "apiApps": [
        {"appId": "a3", "app": {"projectId": "p1", "name": "API", "authMethodType": "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"}}
    ],
    "humanUsers": [
        {"userId": "u1", "user": {"userName": "ada", "profile": {"firstName": "A", "lastName": "B"}, "email": {"email": "a@b.example"}}}
    ],
    "machineUsers": [{"userId": "m1", "user": {"userName": "job", "name": "Job"}}],
    "userGrants": [{"userId": "u1", "projectId": "p1", "roleKeys": ["editor"]}],
    "projectGrants": [{"grantId": "g1", "projectGrant": {"projectId": "p1", "grantedOrgId": "o2", "roleKeys": ["editor"]}}],
    "actions": [{"actionId": "x"}],
    "secondFactors": [{"type": "SECOND_FACTOR_TYPE_OTP"}, {"type": "SECOND_FACTOR_TYPE_RECOVERY_CODES"}],
    "oidcIdps": [{"idpId": "i1", "idp": {"name": "corp"}}],
    "appKeys": [{"id": "k1", "appId": "a3", "clientId": "3@shop", "publicKey": base64.b64encode(PEM.encode()).decode()}],
}  # fmt: skip


def test_zitadel_export_becomes_a_document(tmp_path: Path) -> None:
    """Ids, roles, grants and rules are retained; client ids come from ListApps, secrets exist nowhere."""
    export, apps, output = tmp_path / "export.json", tmp_path / "apps.json", tmp_path / "portico.yaml"
    export.write_text(json.dumps({"orgs": [ORG]}))
    apps.write_text(json.dumps({"result": [{"id": "a1", "oidcConfig": {"clientId": "1@shop"}}]}))
    result = convert(output, export, apps, source="zitadel")
    [organization] = document_in(output).organizations
    [project] = organization.projects or ()
    web, old = project.oidc_apps or ()
    [api] = project.api_apps or ()

    assert result.exit_code == 0
    assert (organization.id, project.id, web.id, web.client_id, old.client_id) == ("o1", "p1", "a1", "1@shop", None)
    assert (web.clock_skew, web.dev_mode, web.access_token_type) == ("3s", True, "OIDC_TOKEN_TYPE_JWT")
    assert (api.client_id, [key.public_key for key in api.keys or ()]) == ("3@shop", [PEM])
    assert [(one.id, one.organization) for one in project.grants or ()] == [("g1", "o2")]
    assert [(one.id, one.username) for one in organization.service_users or ()] == [("m1", "job")]
    assert organization.password_policy == PasswordPolicy(min_length=12, has_number=True)
    assert organization.lockout_policy == LockoutPolicy(max_password_attempts=5)
    for told in (
        "client Old: not converted: the export has no client id",
        "client 1@shop: not converted: the export has no secret",
        "actions, 1 entries",
        "secondFactors: not converted: a second factor of a kind that is not supported (SECOND_FACTOR_TYPE_RECOVERY_CODES)",
        "identity provider corp: not converted: an identity provider whose secret is not in the export: add it with its secret (i1)",
    ):
        assert told in result.stderr


def test_deactivated_applications_of_zitadel_stay_deactivated(tmp_path: Path) -> None:
    """Their state is in the answer of ListApps only."""
    export, apps, output = tmp_path / "export.json", tmp_path / "apps.json", tmp_path / "portico.yaml"
    export.write_text(json.dumps({"orgs": [ORG]}))
    apps.write_text(json.dumps({"result": [{"id": id, "state": "APP_STATE_INACTIVE"} for id in ("a1", "a3")]}))
    convert(output, export, apps, source="zitadel")
    [project] = document_in(output).organizations[0].projects or ()
    found = [(app.id, app.state) for app in project.oidc_apps or ()]
    found += [(app.id, app.state) for app in project.api_apps or ()]

    assert found == [("a1", "inactive"), ("a2", None), ("a3", "inactive")]


def test_zitadel_grants_are_those_of_the_users(tmp_path: Path) -> None:
    """The second document has users with their role grants."""
    export, output = tmp_path / "export.json", tmp_path / "grants.yaml"
    export.write_text(json.dumps({"orgs": [ORG]}))
    convert(output, export, "--grants", source="zitadel")
    [organization] = document_in(output).organizations

    assert [(user.id, user.grants) for user in organization.humans or ()] == [
        ("u1", (RoleGrant(project="p1", role_keys=("editor",)),))
    ]


def member(user_id: str, *roles: str, **members: str) -> dict[str, Any]:
    return {"userId": user_id, "roles": [*roles], **members}


def test_zitadel_members_are_in_the_second_document(tmp_path: Path) -> None:
    """Members of all four kinds get their roles, also in other organizations; those without a place are named."""
    guest = {"userId": "u2", "user": {"userName": "bob", "email": {"email": "bob@c.example"}}}
    lost = {"userId": "u3", "user": {"userName": "no-mail"}}
    second = {
        "orgId": "o2",
        "org": {"name": "Second"},
        "humanUsers": [guest, lost],
        "orgMembers": [member("u2", "ORG_OWNER")],
        # ZITADEL repeats the members of all projects in each organization.
        "projectMembers": [member("u2", "PROJECT_OWNER", projectId="p1")],
        "projectGrantMembers": [member("u2", "PROJECT_GRANT_OWNER", projectId="p1", grantId="g1")],
    }
    first = ORG | {
        "orgMembers": [member("u2", "ORG_USER_MANAGER", "ORG_ADMIN_IMPERSONATOR"), member("m1", "ORG_OWNER_VIEWER")],
        "projectMembers": [
            member("u2", "PROJECT_OWNER", projectId="p1"),
            member("u1", "PROJECT_OWNER", projectId="p9"),
        ],
    }
    export, answer, output = tmp_path / "export.json", tmp_path / "members.json", tmp_path / "grants.yaml"
    export.write_text(json.dumps({"orgs": [first, second]}))
    answer.write_text(json.dumps({"result": [member("u1", "IAM_OWNER"), member("u3", "IAM_OWNER")]}))
    result = convert(output, export, answer, "--grants", source="zitadel")
    document = document_in(output)
    acme, other = document.organizations
    [project] = acme.projects or ()
    [grant] = project.grants or ()
    before = convert(tmp_path / "portico.yaml", export, answer, source="zitadel")

    assert document.members == (Member(user="u1", roles=("IAM_OWNER",)),)
    assert acme.members == (
        Member(user="u2", roles=("ORG_USER_MANAGER",)), Member(user="m1", roles=("ORG_OWNER_VIEWER",)),
    )  # fmt: skip
    assert other.members == (Member(user="u2", roles=("ORG_OWNER",)),)
    assert project.members == (Member(user="u2", roles=("PROJECT_OWNER",)),)
    assert (grant.role_keys, grant.members) == (("editor",), (Member(user="u2", roles=("PROJECT_GRANT_OWNER",)),))
    for told in (
        "members.json:1: member u3: not converted: roles of a member who is not among the users that can be imported",
        "export.json:1: member u2: not converted: a role of members that does not exist here (ORG_ADMIN_IMPERSONATOR)",
        "export.json:1: member u1: not converted: roles of a member of a project or a project grant that is not in",
    ):
        assert told in result.stderr
    assert document_in(tmp_path / "portico.yaml").members is None
    assert "8 x note: a member: --grants writes the roles of members after the import of users" in before.stderr


def test_zitadel_roles_of_members_exist() -> None:
    """The names that are taken over are roles of the same kind here."""
    kinds = {
        INSTANCE: Scope.INSTANCE,
        "orgMembers": Scope.ORGANIZATION,
        "projectMembers": Scope.PROJECT,
        "projectGrantMembers": Scope.PROJECT_GRANT,
    }

    assert {kind: {*roles_in(scope)} for kind, scope in kinds.items()} == ROLES


def test_organization_twice_is_refused(tmp_path: Path) -> None:
    """Two files with the same organization end the conversion: neither may replace the other."""
    export, output = tmp_path / "export.json", tmp_path / "portico.yaml"
    export.write_text(json.dumps({"orgs": [ORG]}))
    result = convert(output, export, export, source="zitadel")

    assert result.exit_code == 1
    assert "export.json:1: The organization o1 is in the files twice." in result.stderr


def test_zitadel_event_log_is_read(tmp_path: Path) -> None:
    """Authorization requests and sessions are read, other events skipped."""
    file = tmp_path / "events.json"
    request = {"client_id": "1@shop", "redirect_uri": "https://shop.example/cb", "scope": ["openid"]}
    session = {"clientID": "1@shop", "userID": "u1", "scope": ["openid", "email"]}
    events = [
        {"type": {"type": "auth_request.added"}, "payload": request, "sequence": "7"},
        {"type": {"type": "oidc_session.added"}, "payload": session},
        {"type": {"type": "user.human.added"}, "payload": {}},
    ]
    file.write_text(json.dumps({"events": events}))
    asked, redeemed = zitadel.read_requests(file, Findings(print))

    assert (asked.client_id, asked.redirect_uri, asked.response_type) == ("1@shop", "https://shop.example/cb", "code")
    assert (redeemed.grant_type, redeemed.scope, redeemed.user_id) == ("authorization_code", "openid email", "u1")


def test_zitadel_event_with_an_odd_response_type_is_read(tmp_path: Path) -> None:
    """A log of a newer release does not end the conversion."""
    file = tmp_path / "events.json"
    values: list[Any] = [[], {}, "code", 7, None, 2]
    payloads = [{"client_id": "1@shop", "response_type": value} for value in values]
    file.write_text(json.dumps({"events": [{"type": "auth_request.added", "payload": one} for one in payloads]}))

    assert [one.response_type for one in zitadel.read_requests(file, Findings(print))] == ["code"] * 5 + [
        "id_token token"
    ]


def test_answer_without_results_is_accepted(tmp_path: Path) -> None:
    """A project without applications and an organization without providers have an answer too."""
    export, apps, output = tmp_path / "export.json", tmp_path / "apps.json", tmp_path / "portico.yaml"
    export.write_text(json.dumps({"orgs": [ORG]}))
    apps.write_text('{"details": {"viewTimestamp": "2026-11-01T10:00:00Z"}}')

    assert convert(output, export, apps, source="zitadel").exit_code == 0


def from_zitadel(folder: Path, **members: Any) -> tuple[Result, Organization]:
    file, output = folder / "export.json", folder / "portico.yaml"
    file.write_text(json.dumps({"orgs": [ORG | members]}))
    result = convert(output, file, source="zitadel")
    return result, document_in(output).organizations[0]


def test_description_of_a_zitadel_service_user_is_retained(tmp_path: Path) -> None:
    """The group of a role, by which ZITADEL's console arranges roles, is retained too."""
    machine = {"userName": "job", "name": "Job", "description": "Sends the invoices."}
    _, organization = from_zitadel(tmp_path, machineUsers=[{"userId": "m1", "user": machine}])
    [project] = organization.projects or ()

    assert [one.description for one in organization.service_users or ()] == ["Sends the invoices."]
    assert [role.group for role in project.roles or ()] == ["x"]


@pytest.mark.parametrize(
    "member", ["ignoreUnknownUsernames", "disableLoginWithEmail", "disableLoginWithPhone", "defaultRedirectUri"]
)
def test_rules_of_a_zitadel_login_policy_are_named(tmp_path: Path, member: str) -> None:
    policy = {"allowRegister": True, "allowUsernamePassword": True, "passwordCheckLifetime": "864000s", member: True}
    result, _ = from_zitadel(tmp_path, loginPolicy=policy)

    assert f"loginPolicy: not converted: an unsupported member ({member})" in result.stderr
    assert "passwordCheckLifetime" not in [line for line in result.stderr.splitlines() if "not converted" in line]


@pytest.mark.parametrize(
    ("policy", "left"),
    [
        ({"passwordlessType": "PASSWORDLESS_TYPE_ALLOWED"}, (FirstFactorName.PASSKEY,)),
        ({"passwordlessType": "PASSWORDLESS_TYPE_NOT_ALLOWED"}, None),
        ({"allowUsernamePassword": False}, None),
    ],
)
def test_zitadel_organization_without_passwords(
    tmp_path: Path, policy: dict[str, Any], left: tuple[FirstFactorName, ...] | None
) -> None:
    """What is left becomes the rule; without anything left it is named, because all users would be locked out."""
    result, organization = from_zitadel(tmp_path, loginPolicy=policy)

    assert organization.login_policy is not None
    assert organization.login_policy.first_factors == left
    assert ("allowUsernamePassword: false" in result.stderr) is (left is None)


def test_export_with_sorted_members_is_refused(tmp_path: Path) -> None:
    """The users of an organization would be those of the organization before it, and their roles be lost."""
    file, output = tmp_path / "export.json", tmp_path / "portico.yaml"
    file.write_text(json.dumps({"orgs": [ORG, ORG | {"orgId": "o2"}]}, sort_keys=True))
    people = convert_users("zitadel", file)
    roles = convert(output, file, "--grants", source="zitadel")

    assert [(one.exit_code, "come before its orgId" in one.stderr) for one in (people, roles)] == [(1, True)] * 2
    assert (people.stdout, output.exists()) == ("", False)


@pytest.mark.parametrize("wrapper", ["dataOrgs", "data_orgs"])
def test_file_for_an_import_of_zitadel_is_an_export(tmp_path: Path, wrapper: str) -> None:
    """People have the file with which they once moved to ZITADEL; both spellings are used in its documentation."""
    export = EXPORTS / "zitadel.json"
    file, output = tmp_path / "zitadel.json", tmp_path / "portico.yaml"
    file.write_text(json.dumps({"timeout": "30m", "more": 1, wrapper: json.loads(export.read_text())}))
    result = convert_users("zitadel", file)
    document = convert(output, file, source="zitadel")

    assert rows(result) == rows(convert_users("zitadel", export))
    assert "zitadel.json:1: not converted: an unsupported member (more)" in result.stderr
    assert document.exit_code == 0, document.stderr
    assert "projects:" in output.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "terraform {\n  required_providers {}\n}\n",
        '# applications\nresource "zitadel_application_oidc" "shop" {\n  name = "shop"\n}\n',
        '{"version": 4, "terraform_version": "1.9.0", "resources": []}',
    ],
)
def test_terraform_is_named(tmp_path: Path, text: str) -> None:
    """Instead of "Invalid JSON" in its first line."""
    file = tmp_path / "main.tf"
    file.write_text(text)

    for refused in (convert(tmp_path / "portico.yaml", file, source="zitadel"), convert_users("zitadel", file)):
        assert refused.exit_code == 1
        assert "main.tf:1: This is Terraform, which has no client ids and secrets" in refused.stderr
