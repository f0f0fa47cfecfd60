"""Files that are cut, in another encoding or of another kind: refused with their line, and an earlier output stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from portico_contracts.apply import RoleGrant
from portico_conversion.applications import grants
from portico_conversion.applications.draft import Draft
from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.users.converted_user import ConvertedUser

from .converting import EXPORTS
from .test_auth0 import TENANT
from .test_documents import EVENTS, REALM, client, convert

WHOLE = {
    "keycloak": REALM.read_text(),
    "zitadel": (EXPORTS / "zitadel-organizations.json").read_text(),
    "auth0": TENANT,
    "authentik": (EXPORTS / "authentik.yaml").read_text(),
}
CUT = {
    "keycloak": WHOLE["keycloak"][: len(WHOLE["keycloak"]) // 2],
    "zitadel": WHOLE["zitadel"][: len(WHOLE["zitadel"]) // 2],
    "auth0": TENANT[: TENANT.index("https://*.shop.example")],
    "authentik": WHOLE["authentik"][: WHOLE["authentik"].index("https://wiki.example/cb")],
}
BROKEN: dict[str, tuple[Callable[[str], bytes], str]] = {
    "cut": (lambda source: CUT[source].encode(), "Invalid|Expected"),
    "Latin-1": (lambda source: WHOLE[source].replace("e", "é").encode("latin-1"), "The file is not UTF-8"),
    "UTF-16": (lambda source: WHOLE[source].encode("utf-16"), "The file is not UTF-8"),
    "UTF-16 without its mark": (lambda source: WHOLE[source].encode("utf-16-le"), "Invalid|Expected|does not allow"),
}


@pytest.mark.parametrize("source", WHOLE)
@pytest.mark.parametrize("how", BROKEN)
def test_broken_file_is_refused_with_its_line(tmp_path: Path, source: str, how: str) -> None:
    """No document is written for a part of an export."""
    file, output = tmp_path / "export", tmp_path / "portico.yaml"
    content, told = BROKEN[how]
    file.write_bytes(content(source))
    output.write_text("earlier")
    result = convert(output, file, source=source)

    assert result.exit_code == 1
    assert re.search(rf"^export:\d+: .*({told})", result.stderr, re.MULTILINE), result.stderr
    assert output.read_text() == "earlier"


@pytest.mark.parametrize("source", WHOLE)
def test_empty_file_is_refused(tmp_path: Path, source: str) -> None:
    """No document is written without an organization."""
    file, output = tmp_path / "export", tmp_path / "portico.yaml"
    file.write_bytes(b"")
    output.write_text("earlier")

    assert convert(output, file, source=source).exit_code == 1
    assert output.read_text() == "earlier"


@pytest.mark.parametrize("cut", [10, -20])
def test_cut_event_log_is_refused_with_its_line(tmp_path: Path, cut: int) -> None:
    """A part of a log would leave wildcards without their redirect URIs."""
    log, output = tmp_path / "events.json", tmp_path / "portico.yaml"
    log.write_text(EVENTS.read_text()[:cut])
    output.write_text("earlier")
    result = convert(output, REALM, "--events", log)

    assert result.exit_code == 1
    assert re.search(r"^events\.json:\d+: (Invalid|Expected)", result.stderr, re.MULTILINE)
    assert output.read_text() == "earlier"


def test_second_realm_that_is_cut_is_refused(tmp_path: Path) -> None:
    """A file with several realms is converted as a whole, or not at all."""
    file, output = tmp_path / "realm.json", tmp_path / "portico.yaml"
    realms = [{"realm": name, "clients": [client(name)]} for name in ("one", "two")]
    file.write_text(json.dumps(realms, indent=1)[:-30])
    output.write_text("earlier")
    result = convert(output, file)

    assert result.exit_code == 1
    assert re.search(r"^realm\.json:\d\d: ", result.stderr, re.MULTILINE)
    assert output.read_text() == "earlier"


def test_unknown_members_of_zitadel_are_named(tmp_path: Path) -> None:
    """An application with a setting of a later release is converted, and the setting named."""
    export = json.loads(WHOLE["zitadel"])
    export["orgs"][0]["oidcApps"][0]["app"]["newSetting"] = True
    export["orgs"][0]["newList"] = [1, 2]
    file, output = tmp_path / "export.json", tmp_path / "portico.yaml"
    file.write_text(json.dumps(export))
    result = convert(output, file, source="zitadel")

    assert result.exit_code == 0
    assert "client web: not converted: an unsupported member (app.newSetting)" in result.stderr
    assert "a list of the organization without counterpart (newList, 2 entries)" in result.stderr


def test_too_many_users_are_refused_before_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Users with roles are not collected beyond what a document can have."""
    monkeypatch.setattr(grants, "LARGEST", 2_000)
    draft = Draft("one", "One", Findings(lambda _line: None))

    def add_many() -> None:
        for number in range(1_000):
            person = ConvertedUser(place=Place("users", number), id=str(number), email=f"{number}@a.example")
            grants.add_granted(draft, person, (RoleGrant(project="p", role_keys=("buyer",)),))

    with pytest.raises(SourceError, match="The document: It is too large"):
        add_many()

    assert len(draft.humans) < 20


STORAGE = "org.keycloak.storage.UserStorageProvider"
ODD: list[tuple[str, dict[str, object], str]] = [
    ("keycloak", {"realm": "one", "groups": True}, "the format of this object is invalid"),
    ("keycloak", {"realm": "one", "clientScopes": True}, "the format of this object is invalid"),
    ("keycloak", {"realm": "one", "components": {STORAGE: None}}, ""),
    ("keycloak", {"realm": "one", "components": {STORAGE: [{"subComponents": {"m": [{"config": 7}]}}]}}, "invalid"),
    ("zitadel", {"orgs": [{"orgId": "one", "oidcIdps": [[]]}]}, "the format of this object is invalid"),
    ("zitadel", {"orgs": [{"orgId": "one", "jwtIdps": [{"idpId": []}]}]}, "the format of this object is invalid"),
    ("auth0", {"clients": [], "clientGrants": True}, "clientGrants, 1 entries"),
    ("auth0", {"clients": [], "guardianPolicies": {"policies": True}}, ""),
]


@pytest.mark.parametrize(("source", "content", "told"), ODD)
def test_value_of_another_type_is_reported(tmp_path: Path, source: str, content: dict[str, object], told: str) -> None:
    """One odd part of an export does not end the conversion of the others."""
    file, output = tmp_path / "export", tmp_path / "portico.yaml"
    file.write_text(json.dumps(content))
    result = convert(output, file, source=source)

    assert (result.exit_code, output.exists()) == (0, True)
    assert told in result.stderr


def test_user_with_a_long_name_does_not_end_the_roles_of_others(tmp_path: Path) -> None:
    """The import refuses this user, whose roles have a line."""
    users = [
        {"id": name, "username": name, "enabled": True, "email": f"{name}@one.example", "firstName": first, "lastName": "B",
         "realmRoles": ["admin"]}
        for name, first in (("ada", "A" * 201), ("bob", "Bob"))
    ]  # fmt: skip
    file, output = tmp_path / "realm.json", tmp_path / "grants.yaml"
    file.write_text(json.dumps({"realm": "one", "roles": {"realm": [{"name": "admin"}]}, "users": users}))
    result = convert(output, file, "--grants")

    assert result.exit_code == 0
    assert "id: bob" in output.read_text()
    assert "realm.json:1: ada: skipped: the format of this object is invalid" in result.stderr
