from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.apply import AuthMethodName, Document, LockoutPolicy, OidcApp, Organization, PasswordPolicy
from portico_contracts.documents.reading import read_document
from portico_conversion.applications.addresses import PLAIN, PLAIN_SET, is_any_port
from portico_conversion.applications.old_client import OldClient, oidc_app
from portico_conversion.findings import Findings, Place

from .converting import EXPORTS

REALM = EXPORTS / "keycloak-26-realm.json"
EVENTS = EXPORTS / "keycloak-26-events.json"
SECRET = "an-old-secret-of-the-shop-0123456789"


def convert(output: Path, *words: str | Path, source: str = "keycloak") -> Result:
    typed = ["convert", "--from", source, "--output", str(output), *map(str, words)]
    return CliRunner().invoke(main, typed, catch_exceptions=False)


def document_in(output: Path) -> Document:
    return read_document(output.read_text(), output.name, os.environ)


def realm_file(folder: Path, *realms: dict[str, Any]) -> Path:
    file = folder / "realm.json"
    file.write_text(json.dumps(realms if len(realms) > 1 else realms[0]))
    return file


def apps_of(organization: Organization) -> dict[str, OidcApp]:
    [project] = organization.projects or ()
    return {app.client_id or "": app for app in project.oidc_apps or ()}


def client(client_id: str, **members: Any) -> dict[str, Any]:
    return {"clientId": client_id, "secret": "a" * 20, "redirectUris": ["https://app.example/cb"], **members}


def test_realm_of_keycloak_26_becomes_a_document(tmp_path: Path) -> None:
    """Client ids, secrets, roles, providers and rules are retained; wildcards are replaced from the event log."""
    output = tmp_path / "portico.yaml"
    result = convert(output, REALM, "--events", EVENTS)
    [organization] = document_in(output).organizations
    [project] = organization.projects or ()
    apps = apps_of(organization)
    shop = apps["shop"]

    assert result.exit_code == 0, result.stderr
    assert {*apps} == {"shop", "spa", "old-spa", "native", "tiny", "signer", "switched-off"}
    assert (shop.client_secret, shop.roles_claim, shop.back_channel_logout_uri) == (
        SECRET, "roles", "https://shop.example/backchannel",
    )  # fmt: skip
    assert shop.redirect_uris == tuple(
        f"http://localhost:3900/{path}" for path in ("app/one", "app/two/deep", "callback")
    )
    assert {role.role_key for role in project.roles or ()} == {"chief", "buyer", "editor", "cashier", "shop:editor"}
    assert [user.username for user in organization.service_users or ()] == ["nightly"]
    assert [one.preset for one in organization.oidc_idps or ()] == ["google", "oidc"]
    assert organization.password_policy == PasswordPolicy(min_length=12, has_uppercase=True, has_number=True)
    assert organization.lockout_policy == LockoutPolicy(max_password_attempts=8)
    assert {apps["native"].app_type, apps["native"].loopback_ports} == {"OIDC_APP_TYPE_NATIVE", "any"}
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    assert SECRET not in result.output


@pytest.mark.parametrize("uri", ["http://localhost/cb", "http://127.0.0.1/cb", "http://[::1]/cb"])
def test_native_application_keeps_any_loopback_port(uri: str) -> None:
    assert is_any_port([uri])
    assert not is_any_port([uri.replace("/cb", ":8080/cb")])


@pytest.mark.parametrize(
    ("method", "uris", "kept", "plain_schemes", "text"),
    [
        (AuthMethodName.NONE, ("cursor://a", "com.example:/b"), ("cursor://a", "com.example:/b"), True, PLAIN_SET),
        (AuthMethodName.BASIC, ("cursor://a", "https://a.example/b"), ("https://a.example/b",), False, PLAIN),
    ],
)
def test_schemes_without_a_dot_are_kept_for_native_applications(
    method: AuthMethodName, uris: tuple[str, ...], kept: tuple[str, ...], plain_schemes: bool, text: str
) -> None:
    """The setting is set for them, and each URI is listed with it (decision 0111)."""
    lines: list[str] = []
    findings = Findings(lines.append)
    old = OldClient(place=Place("clients.json", 1), client_id="app", name="app", method=method, redirect_uris=uris)
    app = oidc_app(old, "app", (), findings)

    assert (app.redirect_uris, app.plain_schemes) == (kept, plain_schemes)
    assert text in "\n".join(lines)


def test_roles_of_users_are_a_document_of_their_own(tmp_path: Path) -> None:
    """Composite roles are resolved, groups give roles, and nothing else of an earlier document is repeated."""
    output, whole = tmp_path / "grants.yaml", tmp_path / "portico.yaml"
    convert(output, REALM, "--grants")
    convert(whole, REALM)
    [organization] = document_in(output).organizations
    groups = {group.id: group for group in document_in(whole).organizations[0].groups or ()}
    mia, tom = sorted(organization.humans or (), key=lambda user: user.username or "")

    assert [(one.project, one.role_keys) for one in mia.grants or ()] == [
        ("workshop-project", ("buyer", "chief", "editor", "shop:editor"))
    ]
    assert (tom.grants, [groups[id].name for id in tom.groups or ()]) == (None, ["/staff/till"])
    assert {group.name: [one.role_keys for one in group.grants or ()] for group in groups.values()} == {
        "/staff": [("buyer",)],
        "/staff/till": [("buyer", "cashier")],
    }
    assert organization.groups is None
    assert apps_of(organization) == {}
    assert (organization.login_policy, organization.oidc_idps) == (None, None)


def split_realm(folder: Path) -> tuple[Path, Path]:
    """The files of `kc.sh export` without `--users`; that of the realm has the users of service accounts."""
    realm, users = folder / "one-realm.json", folder / "one-users-0.json"
    job = {"id": "u0", "username": "service-account-job", "enabled": True, "serviceAccountClientId": "job"}
    roles = {"realm": [{"name": "admin"}]}
    groups = [{"id": "g1", "name": "staff", "path": "/staff"}]
    realm.write_text(json.dumps({"realm": "one", "roles": roles, "groups": groups, "users": [job]}))
    ada = {"id": "u1", "username": "ada", "enabled": True, "email": "ada@one.example"}
    users.write_text(json.dumps({"realm": "one", "users": [ada | {"realmRoles": ["admin"], "groups": ["/staff"]}]}))
    return realm, users


@pytest.mark.parametrize("order", [1, -1])
def test_roles_of_users_in_separate_files(tmp_path: Path, order: int) -> None:
    """Files of users belong to the realm of that name: they are not a second organization."""
    files, output = split_realm(tmp_path)[::order], tmp_path / "grants.yaml"
    convert(output, *files, "--organization", "acme", "--grants")
    [organization] = document_in(output).organizations
    [ada] = organization.humans or ()

    assert ([one.role_keys for one in ada.grants or ()], len(ada.groups or ())) == ([("admin",)], 1)


def test_missing_file_of_a_split_realm_is_named(tmp_path: Path) -> None:
    """Users without their realm are refused, and roles of users without any user have a line."""
    realm, users = split_realm(tmp_path)
    without_realm = convert(tmp_path / "grants.yaml", users, "--grants")
    without_users = convert(tmp_path / "grants.yaml", realm, "--grants")

    assert without_realm.exit_code == 1
    assert "one-users-0.json:1: The file has only users. Name the file of their realm" in without_realm.stderr
    assert "one-realm.json:1: realm one: not converted: roles of users: no file has users." in without_users.stderr


def test_report_names_what_is_left_with_its_line(tmp_path: Path) -> None:
    """Each line has the place of the object, and the summary counts them."""
    result = convert(tmp_path / "portico.yaml", REALM)
    told = [line.partition(": ") for line in result.stderr.splitlines()]
    wanted = [
        "client shop: not converted: a redirect URI with a wildcard: register each complete URI (http://localhost:3900/app/*)",
        "client tiny: not converted: a secret shorter than 16 or longer than 200 characters: a new secret is needed, which `portico apply` prints",
        "client https://saml.example/metadata: skipped: a SAML client",
        "identity provider old-saml: not converted: an identity provider of a kind that is not supported (saml)",
        "passwordPolicy: not converted: a password rule (passwordHistory(3))",
    ]
    lines = REALM.read_text().splitlines()

    assert not {*wanted} - {rest for _, _, rest in told}
    [place] = {place for place, _, rest in told if rest.startswith("client shop: ")}
    assert '"clientId": "shop"' in "\n".join(lines[int(place.split(":")[1]) - 1 :][:4])


def test_several_realms_become_organizations_of_their_own(tmp_path: Path) -> None:
    """The second use of a client id is refused with both places, master and Keycloak's own clients are left."""
    realms = [
        {"realm": name, "clients": [client("shop"), client("account", name="${client_account}")]}
        for name in ("master", "one", "two")
    ]
    output = tmp_path / "portico.yaml"
    result = convert(output, realm_file(tmp_path, *realms))
    named = convert(tmp_path / "two.yaml", tmp_path / "realm.json", "--realm", "two", "--organization", "acme")

    assert [(one.id, [*apps_of(one)]) for one in document_in(output).organizations] == [("one", ["shop"]), ("two", [])]
    assert "skipped: the client id is already used by another client, at realm.json:1" in result.stderr
    assert [one.id for one in document_in(tmp_path / "two.yaml").organizations] == ["acme"]
    assert named.exit_code == 0


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"secret": "**********"}, "the secret is masked in this export: a new secret is needed"),
        ({"newMember": {"a": 1}}, "an unsupported member (newMember)"),
        ({"clientAuthenticatorType": "client-x509"}, "authentication by a certificate whose subject is a pattern or missing"),
        ({"attributes": {"dpop.bound.refresh.tokens": "true"}}, "a setting without counterpart (dpop.bound.refresh.tokens=true)"),
        ({"attributes": {"dpop.bound.access.tokens": "true"}, "implicitFlowEnabled": True}, "DPoP cannot be required with the implicit flow"),
        ({"implicitFlowEnabled": True}, "the hybrid flow"),
        ({"redirectUris": 7}, "Expected `array`, got `int` - at `$.redirectUris`: skipped"),
        ({"redirectUris": ["http://intranet/cb"]}, "a redirect URI that cannot be registered"),
        ({"protocolMappers": [{"protocolMapper": "oidc-usermodel-realm-role-mapper", "config": {"claim.name": "realm.roles"}}]},
         "a claim with roles inside another claim"),
    ],
)  # fmt: skip
def test_client_without_counterpart_is_named(tmp_path: Path, members: dict[str, Any], told: str) -> None:
    """One odd client is reported, and the others are converted."""
    output = tmp_path / "portico.yaml"
    result = convert(
        output, realm_file(tmp_path, {"realm": "one", "clients": [client("odd", **members), client("even")]})
    )

    assert "even" in apps_of(document_in(output).organizations[0])
    assert told in result.stderr
    assert "a" * 20 not in result.output


@pytest.mark.parametrize("root", ["https://app.example", "https://app.example/", "https://app.example/shop"])
def test_relative_redirect_uris_follow_the_root_url(tmp_path: Path, root: str) -> None:
    """Keycloak joins both texts, so the path of the root URL stays, and a slash at its end as well."""
    output = tmp_path / "portico.yaml"
    uris = {"redirectUris": ["/cb"], "attributes": {"post.logout.redirect.uris": "+##/bye"}}
    convert(output, realm_file(tmp_path, {"realm": "one", "clients": [client("shop", rootUrl=root, **uris)]}))
    shop = apps_of(document_in(output).organizations[0])["shop"]

    assert (shop.redirect_uris, shop.post_logout_redirect_uris) == ((f"{root}/cb",), (f"{root}/cb", f"{root}/bye"))


@pytest.mark.parametrize("root", ["", "${authBaseUrl}"])
def test_redirect_uri_below_keycloak_itself_is_named(tmp_path: Path, root: str) -> None:
    """Without a root URL a relative URI is one of Keycloak's own address, which is not in the export."""
    realm = {"realm": "one", "clients": [client("shop", rootUrl=root, redirectUris=["/cb"])]}
    result = convert(tmp_path / "portico.yaml", realm_file(tmp_path, realm))

    assert "client shop: not converted: a redirect URI that cannot be registered: only https, " in result.stderr
    assert "(/cb)" in result.stderr
    assert ("(rootUrl: ${authBaseUrl})" in result.stderr) is bool(root)


def test_required_authenticator_becomes_a_rule(tmp_path: Path) -> None:
    """The default action CONFIGURE_TOTP requires a second factor here."""
    output = tmp_path / "portico.yaml"
    actions = [{"alias": "CONFIGURE_TOTP", "defaultAction": True}]
    convert(output, realm_file(tmp_path, {"realm": "one", "requiredActions": actions}))
    policy = document_in(output).organizations[0].login_policy

    assert policy is not None
    assert policy.force_mfa is True


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"realm": "one", "clients": [', "realm.json:1: Invalid JSON"),
        (b'{"realm": "one",\n "clients": [{"clientId": "\xff"}]}', "realm.json:1: After this line: The file is not UTF-8."),
        ('{"realm": "one"}'.encode("utf-16"), "The file is not UTF-8."),
        (b'{"users": []}', "This object has no realm: it is not a Keycloak export."),
        (b'{"realm": "one", "clients": [{"clientId": "\\ud800"}]}', "an unpaired surrogate"),
        (b"[]", "It has nothing to convert."),
        (b"", "Expected {."),
    ],
)  # fmt: skip
def test_broken_export_writes_nothing(tmp_path: Path, content: bytes, told: str) -> None:
    """A cut or foreign file is refused with its line, and an earlier output stays."""
    file, output = tmp_path / "realm.json", tmp_path / "portico.yaml"
    file.write_bytes(content)
    output.write_text("earlier")
    result = convert(output, file)

    assert result.exit_code == 1
    assert told in result.stderr
    assert output.read_text() == "earlier"


PEAK = """
import sys, tracemalloc
from click.testing import CliRunner
from portico_cli.cli import main

def convert(to, *files):
    typed = ["convert", "--from", "keycloak", "--output", to, *files]
    result = CliRunner().invoke(main, typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output

warm, realm, to, export, log = sys.argv[1:]
convert(warm, realm)
tracemalloc.start()
convert(to, export, "--events", log)
print(tracemalloc.get_traced_memory()[1])
"""


@pytest.mark.slow
def test_large_exports_and_logs_are_streamed(tmp_path: Path) -> None:
    """Users are skipped one by one, and a log of many sign-ins is a few different requests."""
    export, log = tmp_path / "realm.json", tmp_path / "events.ndjson"
    users = ",".join(json.dumps({"id": str(number), "username": "x" * 500}) for number in range(2_000))
    export.write_text(f'{{"realm": "one", "users": [{users}], "clients": [{json.dumps(client("shop"))}]}}')
    event = {"type": "LOGIN", "clientId": "shop", "userId": "u", "details": {"redirect_uri": "https://app.example/cb"}}
    log.write_text("\n".join(json.dumps(event | {"id": "x" * 300}) for _ in range(2_000)))
    arguments = [tmp_path / "warm.yaml", REALM, tmp_path / "portico.yaml", export, log]
    # In a process without other threads, whose memory would count too.
    measured = subprocess.run([sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, check=True)
    peak = int(measured.stdout)

    assert peak < 700_000, f"{peak} bytes for files of {export.stat().st_size + log.stat().st_size}"
