"""Placeholders of other programs are never values, wherever they are in a file (decision 0113)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from .converting import EXPORTS, rows
from .converting import convert as convert_users
from .test_auth0 import TENANT
from .test_authentik import BLUEPRINT
from .test_documents import apps_of, client, convert, document_in

TOLD = "a placeholder instead of a value: set it with --env, or replace it in the file"
OTHERS = "it has a placeholder, without whose value others could sign in"
SECRET = "a-secret-of-the-environment"


def realm(folder: Path, indent: int | None = 1, **members: Any) -> Path:
    file = folder / "realm.json"
    file.write_text(json.dumps({"realm": "one", **members}, indent=indent))
    return file


def document(folder: Path, file: Path, *words: str, source: str = "keycloak") -> tuple[Result, str]:
    output = folder / "portico.yaml"
    result = convert(output, file, "--organization", "acme", *words, source=source)
    return result, output.read_text() if output.exists() else ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("${DASH_SECRET}", "${DASH_SECRET}"),
        ("${DASH_SECRET:change-me-change-me}", "${DASH_SECRET}"),
        ("${env.DASH_SECRET:change-me-{}-change-me}", "${DASH_SECRET}"),
        ("$(env:DASH_SECRET)", "$(DASH_SECRET)"),
        ("##DASH_SECRET##", "##DASH_SECRET##"),
        ("?DASH_SECRET?", "?DASH_SECRET?"),
        ("a-secret-with-${", "${…}"),
    ],
)
def test_placeholder_is_no_secret_of_a_client(tmp_path: Path, text: str, shown: str) -> None:
    """Files with placeholders are public, and so are their defaults, which are not printed either."""
    result, written = document(tmp_path, realm(tmp_path, clients=[client("dash", secret=text)]))

    assert f"realm.json:6: client dash: not converted: {TOLD} (secret: {shown})" in result.stderr
    assert "DASH_SECRET" not in written
    assert "change-me" not in written + result.stderr
    assert "clientSecret" not in written


def test_placeholder_is_no_password_of_a_user(tmp_path: Path) -> None:
    """A password would be known to everybody who has the file; names and attributes are left out as well."""
    user = {"id": "u1", "username": "ada", "enabled": True, "email": "ada@one.example", "lastName": "${LAST:Byron}",
            "attributes": {"key": ["${KEY}"]}, "credentials": [{"type": "password", "value": "${ADMIN_PASSWORD}"}]}  # fmt: skip
    result = convert_users("keycloak", realm(tmp_path, users=[user]))
    [row] = rows(result)

    assert "password" not in row
    assert "${" not in result.stdout
    for member in ("lastName: ${LAST}", "attributes.key: ${KEY}", "credentials.value: ${ADMIN_PASSWORD}"):
        assert f"ada: not converted: {TOLD} ({member})" in result.stderr


def test_variable_named_by_env_is_the_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the named ones are read, and a text is used when all its placeholders have a value."""
    monkeypatch.setenv("DASH_SECRET", SECRET)
    monkeypatch.setenv("HOST", "app.example")
    monkeypatch.setenv("OTHER", "other.example")
    uris = ["https://${HOST}/cb", "https://${HOST:a.example}/${OTHER}"]
    file = realm(tmp_path, clients=[client("dash", secret="${DASH_SECRET:change-me}", redirectUris=uris)])
    result, _ = document(tmp_path, file, "--env", "DASH_SECRET", "--env", "HOST", "--env", "PATH")
    dash = apps_of(document_in(tmp_path / "portico.yaml").organizations[0])["dash"]

    assert (dash.client_secret, dash.redirect_uris) == (SECRET, ("https://app.example/cb",))
    assert f"{TOLD} (redirectUris: ${{HOST}}, ${{OTHER}})" in result.stderr
    assert "  --env PATH: no placeholder has this name" in result.stderr


def test_variable_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """A typing error is not an empty secret."""
    result, written = document(tmp_path, realm(tmp_path), "--env", "NO_SUCH_VARIABLE_HERE")

    assert (result.exit_code, written) == (2, "")
    assert "--env: the environment has no NO_SUCH_VARIABLE_HERE." in result.stderr


@pytest.mark.parametrize(
    "config",
    [{"clientSecret": "?GITHUBSECRET?"}, {"hostedDomain": "${DOMAIN}"}, {"clientId": "${CLIENT:abc}"}],
)
def test_provider_with_a_placeholder_is_left_out(tmp_path: Path, config: dict[str, str]) -> None:
    """A domain without its value would let every account of the provider sign in."""
    google = {"alias": "g", "providerId": "google", "config": {"clientId": "c", "clientSecret": "s" * 20} | config}
    result, written = document(tmp_path, realm(tmp_path, identityProviders=[google]))

    assert "Idps" not in written
    assert f"identity provider g: skipped: {OTHERS}" in result.stderr


def test_placeholder_instead_of_a_truth_value_leaves_the_object_out(tmp_path: Path) -> None:
    """`enabled` is true by default: nothing may be switched on by a value that is missing."""
    result, written = document(tmp_path, realm(tmp_path, clients=[client("dash", enabled="${ON}")]))

    assert "dash" not in written
    assert f"{TOLD} (enabled: ${{ON}})" in result.stderr
    assert "skipped: the format of this object is invalid" in result.stderr


def test_realm_named_by_a_placeholder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "realm.json"
    file.write_text('{"realm": "${REALM:one}"}')

    assert "realm is a placeholder: set it with --env" in document(tmp_path, file)[0].stderr
    assert "realm is a placeholder" in convert_users("keycloak", file).stderr


SOURCES = [
    ("auth0", TENANT.replace("the-secret-of-the-shop-at-auth0-0123456789", "'##SHOP##'"), "client_secret: ##SHOP##"),
    ("auth0", TENANT.replace("g-secret-0123456789", "'@@GOOGLE@@'"), "options.client_secret: @@GOOGLE@@"),
    ("authentik", BLUEPRINT.replace("the-secret-of-the-wiki-at-authentik-0123456789", "!Env [WIKI, public-default]"),
     "client_secret: !Env WIKI"),
    ("authentik", BLUEPRINT.replace("g-secret-0123456789", "'${GOOGLE:x}'"), "consumer_secret: ${GOOGLE}"),
    ("authentik", BLUEPRINT.replace("name: editors, is", "name: !File name, is"), "name: !File"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "text", "told"), SOURCES)
def test_placeholders_of_other_systems(tmp_path: Path, source: str, text: str, told: str) -> None:
    """The default of a tag is as public as the file."""
    file = tmp_path / "export.yaml"
    file.write_text(text)
    result, written = document(tmp_path, file, source=source)

    assert f"{TOLD} ({told})" in result.stderr
    assert not any(one in written for one in ("SHOP", "GOOGLE", "WIKI", "public-default"))


@pytest.mark.parametrize("name", ["zitadel-organizations.json", "zitadel-providers.json"])
def test_placeholder_in_a_provider_of_zitadel(tmp_path: Path, name: str) -> None:
    text = (EXPORTS / name).read_text().replace('"clientSecret": "', '"clientSecret": "${GOOGLE}')
    file = tmp_path / name
    file.write_text(text)
    other = EXPORTS / "zitadel-organizations.json"
    output = tmp_path / "portico.yaml"
    convert(output, file, *([] if name == other.name else [other]), source="zitadel")

    assert "${GOOGLE}" in text
    assert "GOOGLE}" not in output.read_text()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("zitadel", (EXPORTS / "zitadel.json").read_text().replace('"value": "$', '"value": "${X}$')),
        ("auth0", (EXPORTS / "auth0-hashes.ndjson").read_text().replace('"$2b', '"${X}$2b')),
        ("firebase", (EXPORTS / "firebase-users.json").read_text().replace('"displayName": "', '"displayName": "${X}')),
    ],
)
def test_placeholders_in_users_of_other_systems(tmp_path: Path, source: str, text: str) -> None:
    file = tmp_path / "export"
    file.write_text(text)
    users = [EXPORTS / "auth0-users.ndjson"] if source == "auth0" else []
    more: list[str | Path] = ["--hash-config", EXPORTS / "firebase-hash-parameters.txt"] if source == "firebase" else []
    result = convert_users(source, file, *users, *more)

    assert "${X}" in text
    assert "${X}" not in result.stdout
    assert TOLD in result.stderr
