"""Each object and member of an export is converted, or named as not converted (decision 0113).

A member that no release of the source has is put into each object of a small export, one conversion each.
"""

from __future__ import annotations

import base64
import copy
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.applications.sources import DOCUMENTS
from portico_conversion.findings import Findings, SourceError
from portico_conversion.users.converted_user import Providers, row_of
from portico_conversion.users.options import Options
from portico_conversion.users.sources import SOURCES

from .converting import EXPORTS, PARAMETERS
from .test_auth0 import TENANT
from .test_authentik import BLUEPRINT

NEW: Final = "zzNewMember"
_MAPPERS: Final = [
    {"name": "r", "protocolMapper": "oidc-usermodel-realm-role-mapper", "config": {"claim.name": "roles"}}
]
REALM: Final[dict[str, Any]] = {
    "realm": "one",
    "displayName": "One",
    "smtpServer": {"host": "mail.example"},
    "clients": [
        {"clientId": "shop", "secret": "s" * 20, "attributes": {"logoUri": "https://l.example"}, "protocolMappers": _MAPPERS},
        {"clientId": "saml", "protocol": "saml", "attributes": {"a": "b"}},
        {"clientId": "broker", "attributes": {"a": "b"}},
    ],
    "roles": {"realm": [{"name": "a", "composites": {"client": {"shop": ["b"]}}}], "client": {"shop": [{"name": "b"}]}},
    "groups": [{"name": "g", "subGroups": [{"name": "h", "clientRoles": {"shop": ["b"]}}]}],
    "clientScopes": [{"name": "mine", "protocolMappers": _MAPPERS, "attributes": {"a": "b"}}],
    "identityProviders": [
        {"alias": "g", "providerId": "google", "config": {"clientId": "c", "clientSecret": "s" * 20}},
        {"alias": "f", "providerId": "instagram", "config": {"clientId": "c", "clientSecret": "s" * 20}},
    ],
    "components": {
        "org.keycloak.storage.UserStorageProvider": [
            {"name": "ldap", "providerId": "ldap",
             "config": {"connectionUrl": ["ldaps://l"], "bindDn": ["c"], "bindCredential": ["s"]},
             "subComponents": {"m": [{"name": "mail", "providerId": "user-attribute-ldap-mapper",
                                      "config": {"user.model.attribute": ["email"], "ldap.attribute": ["mail"]}}]}},
        ],
        "org.keycloak.keys.KeyProvider": [{"name": "rsa", "config": {"priority": ["100"]}}],
    },
    "requiredActions": [{"alias": "CONFIGURE_TOTP", "defaultAction": True, "config": {}}],
}  # fmt: skip
USERS: Final[dict[str, Any]] = {
    "realm": "one",
    "users": [
        {"id": "1", "username": "ada", "enabled": True, "email": "ada@one.example", "clientRoles": {"shop": ["b"]},
         "attributes": {"plan": ["gold"]}, "credentials": [{"type": "password", "value": "a-long-password"}],
         "federatedIdentities": [{"identityProvider": "g", "userId": "7", "userName": "ada"}]},
        {"id": "2", "username": "bob", "enabled": False, "attributes": {"plan": ["gold"]}},
    ],
}  # fmt: skip


def of_json(*names: str) -> dict[str, Any]:
    return {name: json.loads((EXPORTS / name).read_text()) for name in names}


def of_lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (EXPORTS / name).read_text().splitlines()]


def plain_yaml(text: str) -> Any:
    return yaml.safe_load(re.sub(r"!\w+ (\[.*?\]+|[\w-]+)", "tagged", text))


Files = Mapping[str, Any]
DOCUMENT_FILES: dict[str, Files] = {
    "keycloak": {"realm.json": REALM},
    "zitadel": of_json("zitadel-organizations.json", "zitadel-providers.json", "zitadel-apps.json", "zitadel-members.json"),
    "auth0": {"tenant.yaml": plain_yaml(TENANT)},
    "authentik": {"export.yaml": plain_yaml(BLUEPRINT)},
}  # fmt: skip
USER_FILES: dict[str, Files] = {
    "keycloak": {"realm.json": USERS},
    "zitadel": of_json("zitadel.json"),
    "auth0": {"users.ndjson": of_lines("auth0-users.ndjson"), "hashes.ndjson": of_lines("auth0-hashes.ndjson")},
    "firebase": of_json("firebase-users.json"),
}


def converted(folder: Path, source: str, files: Files, *, users: bool) -> tuple[str, str]:
    """Returns what was written and what was reported."""
    lines: list[str] = []
    paths, findings = [], Findings(lines.append)
    for name, content in files.items():
        path = folder / name
        is_lines = name.endswith(".ndjson")
        path.write_text("\n".join(map(json.dumps, content)) if is_lines else json.dumps(content))
        paths.append(path)
    if users:
        parameters = PARAMETERS if source == "firebase" else None
        persons = SOURCES[source](paths, Options(parameters), findings)
        written = [row_of(one, Providers(), findings) for one in persons]
        values = [base64.b64decode(one["value"]).decode() for row in written if row for one in row.get("metadata", ())]
        return "\n".join([json.dumps(written), *values]), "\n".join([*lines, *findings.summary()])
    drafts = DOCUMENTS[source](paths, DocumentOptions(), findings)
    documents = [one.of_document(grants=False) if one.of_instance else one.organization() for one in drafts]
    return repr(documents), "\n".join([*lines, *findings.summary()])


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the path of each object in a value."""
    if isinstance(value, dict):
        yield path
    for name, member in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from objects(member, (*path, name))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def texts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the path of each text in a value."""
    if isinstance(value, str):
        yield path
    for name, member in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from texts(member, (*path, name))


def is_accounted(told: str, files: Files, path: tuple[Any, ...]) -> bool:
    """Reports whether the member itself, or an object or a part of the file around it, is named."""
    if NEW in told:
        return True
    around = [at(files, path[:length]) for length in range(1, len(path) + 1)]
    names = {str(value[name]) for value in around if isinstance(value, dict) for name in NAMES if name in value}
    for identifiers in (value.get("identifiers") for value in around if isinstance(value, dict)):
        names |= {str(one) for one in identifiers.values()} if isinstance(identifiers, dict) else set()
    omitted = [line for line in told.splitlines() if "skipped:" in line or "not converted:" in line or "note:" in line]
    return any(
        re.search(rf"\b{re.escape(one)}\b", line)
        for line in omitted
        for one in [*names, *(part for part in path[1:] if isinstance(part, str))]
        if one not in TOO_COMMON or " note: " in line
    )


VALUES = ("metadata", "context")
"""The title of a blueprint, and values for its tag ``!Context``, which its entries name."""

NAMES = ("model", "clientId", "alias", "username", "email", "name", "user_id")
TOO_COMMON = {"clients", "roles", "users", "orgs", "entries", "attrs", "name", "app", "user", "shop", "ada", "config", "attributes"}  # fmt: skip
ALL = [
    (kind, source, path)
    for kind, table in (("document", DOCUMENT_FILES), ("users", USER_FILES))
    for source, files in table.items()
    for path in objects(files)
    if path and path[-1] not in VALUES
]


@pytest.mark.parametrize("kind", ["document", "users"])
def test_new_member_of_each_object_is_named(tmp_path: Path, kind: str) -> None:
    """A setting of a later release is not lost unnoticed, wherever it is."""
    lost = []
    for one, source, path in ALL:
        if one == kind:
            files = copy.deepcopy((DOCUMENT_FILES if kind == "document" else USER_FILES)[source])
            at(files, path)[NEW] = "a-new-value"
            told = "\n".join(converted(tmp_path, source, files, users=kind == "users"))
            if not is_accounted(told, files, path):
                lost.append(f"{source} {path}")

    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("kind", ["document", "users"])
def test_no_text_that_is_a_placeholder_is_written(tmp_path: Path, kind: str) -> None:
    """Wherever it is: as an id, a name, an address, a secret or a rule."""
    found = []
    for source, files in (DOCUMENT_FILES if kind == "document" else USER_FILES).items():
        for path in texts(files):
            changed = copy.deepcopy(files)
            at(changed, path[:-1])[path[-1]] = "${PUBLIC:default}"
            try:
                written, told = converted(tmp_path, source, changed, users=kind == "users")
            except SourceError as error:
                written, told = "", str(error)
            if "PUBLIC" in written or "default}" in told:
                found.append(f"{source} {path}")

    assert not found, "\n".join(found)
