from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from .converting import EXPORTS, PARAMETERS, convert, rows


@pytest.mark.parametrize(
    ("credential", "written"),
    [
        ({"value": "a whistle", "temporary": True}, {"password": {"password": "a whistle", "changeRequired": True}}),
        (
            {"hashedSaltedValue": "AAAA", "salt": "AQID", "hashIterations": 20000, "algorithm": "pbkdf2-sha256"},
            {"hashedPassword": {"hash": "$pbkdf2-sha256$20000$AQID$AAAA"}},
        ),
        (
            {"secretData": '{"value":"$2a$12$abc"}', "credentialData": '{"algorithm":"bcrypt","hashIterations":12}'},
            {"hashedPassword": {"hash": "$2a$12$abc"}},
        ),
        (
            {"secretData": '{"value":"AAAA","salt":"AQID"}', "credentialData": '{"algorithm":"pbkdf2","hashIterations":1}'},
            {"hashedPassword": {"hash": "$pbkdf2-sha1$1$AQID$AAAA"}},
        ),
        ({"secretData": '{"value":"AAAA","salt":"AQID"}', "credentialData": '{"algorithm":"md5"}'}, None),
        ({"secretData": '{"value":"?","salt":"AQID"}', "credentialData": '{"algorithm":"pbkdf2"}'}, None),
        ({"secretData": "{", "credentialData": "["}, None),
        ({"secretData": '{"value":"AAAA","salt":"AQID"}', "credentialData": '{"algorithm":"argon2"}'}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_keycloak_passwords(tmp_path: Path, credential: dict[str, Any], written: dict[str, Any] | None) -> None:
    """Hashes of every release and plain passwords are converted; other kinds are reported."""
    file = tmp_path / "realm.json"
    user = {
        "id": "1",
        "username": "ada",
        "email": "a@b",
        "enabled": True,
        "credentials": [{"type": "password", **credential}],
    }
    file.write_text(json.dumps([{"realm": "one", "users": []}, {"realm": "two", "users": [user]}]))
    result = convert("keycloak", file)
    [row] = rows(result)

    assert {name: row[name] for name in row if "assword" in name} == (written or {})
    assert ("not converted: a password without a supported hash" in result.stderr) is (written is None)


OTP = {"subType": "totp", "digits": 6, "counter": 0, "period": 30, "algorithm": "HmacSHA1", "secretEncoding": None}
SECRET = "AbCdEfGhIjKlMnOpQrSt"
IN_BASE32 = "IFREGZCFMZDWQSLKJNWE23SPOBIXEU3U"


@pytest.mark.parametrize(
    ("secret", "data", "moved"),
    [
        (SECRET, OTP, True),
        (IN_BASE32, {**OTP, "secretEncoding": "BASE32"}, True),
        (IN_BASE32.lower(), {**OTP, "secretEncoding": "base32"}, True),
        (f"{SECRET[:-1]}1", {**OTP, "secretEncoding": "BASE32"}, False),
        (SECRET, {**OTP, "subType": "hotp"}, False),
        (SECRET, {**OTP, "digits": 8}, False),
        (SECRET, {**OTP, "period": 60}, False),
        (SECRET, {**OTP, "algorithm": "HmacSHA256"}, False),
        (SECRET[:9], OTP, False),
        ("x" * 65, OTP, False),
    ],
)
def test_keycloak_authenticator_apps(tmp_path: Path, secret: str, data: dict[str, Any], moved: bool) -> None:
    """An app with supported parameters is converted with its secret; others and a second one are reported."""
    file = tmp_path / "realm.json"
    otp = {"type": "otp", "secretData": json.dumps({"value": secret}), "credentialData": json.dumps(data)}
    users = [
        {"username": name, "email": "a@b", "enabled": True, "credentials": [otp] * number}
        for name, number in (("one", 1), ("two", 2))
    ]
    file.write_text(json.dumps({"users": users}))
    result = convert("keycloak", file)

    assert [row.get("totpSecret") for row in rows(result)] == [IN_BASE32 if moved else None] * 2
    assert f"{1 if moved else 3} x not converted: an unsupported or second authenticator app" in result.stderr
    assert secret not in result.stderr


@pytest.mark.parametrize(
    ("names", "profile"),
    [
        ({"given_name": "Ada", "family_name": "Byron"}, {"firstName": "Ada", "lastName": "Byron"}),
        ({"name": "Ada Byron"}, {"firstName": "Ada", "lastName": "Byron"}),
        ({"name": "Ada King Byron "}, {"firstName": "Ada King", "lastName": "Byron"}),
        (
            {"given_name": "Ada", "family_name": "Byron", "name": "Countess"},
            {"firstName": "Ada", "lastName": "Byron", "displayName": "Countess"},
        ),
        ({"name": "Ada"}, {"firstName": "Ada"}),
        ({"given_name": "Ada"}, {"firstName": "Ada"}),
        ({"family_name": "Ada"}, {"firstName": "Ada"}),
        ({"given_name": "Ada", "name": "Ada of Ockham"}, {"firstName": "Ada", "displayName": "Ada of Ockham"}),
        ({"name": "ada@b.example"}, {"firstName": "ada"}),
        ({}, {"firstName": "ada"}),
    ],
)
def test_no_last_name_is_made_up(tmp_path: Path, names: dict[str, str], profile: dict[str, str]) -> None:
    """Users with one name have no last name; those known by their email address get a first name from it."""
    file = tmp_path / "users.ndjson"
    file.write_text(json.dumps({"user_id": "auth0|1", "email": "ada@b.example", "family_name": None, **names}) + "\n")

    assert rows(convert("auth0", file))[0]["profile"] == profile


def test_unknown_members_are_reported(tmp_path: Path) -> None:
    """Members added by later releases are reported, except for empty ones."""
    file = tmp_path / "users.json"
    user = {"localId": "1", "email": "a@b", "mfaInfo": [{"x": 1}], "tenantId": "t", "nothing": [], "createdAt": "1"}
    file.write_text(json.dumps({"users": [user, {"localId": 5}], "kind": "x"}))
    lines = convert("firebase", file).stderr.splitlines()

    assert lines[:4] == [
        "users.json:1: a@b: not converted: an unsupported member (mfaInfo)",
        "users.json:1: a@b: not converted: an unsupported member (tenantId)",
        "users.json:1: Expected `str`, got `int` - at `$.localId`: skipped: the format of this object is invalid",
        "users.json:1: not converted: a member of the file (kind)",
    ]


def test_federated_users_are_reported(tmp_path: Path) -> None:
    """Keycloak's separate list of federated users, which has no names, is reported in one line."""
    file = tmp_path / "realm.json"
    file.write_text('{"realm": "x", "users": [], "federatedUsers": [{"id": "f:1:ada"}, {"id": "f:1:bob"}]}')
    result = convert("keycloak", file)

    assert "realm.json:1: not converted: federatedUsers of the realm (2 of them)" in result.stderr.splitlines()
    assert "0 converted, 0 skipped." in result.stderr


def test_control_characters_are_not_printed(tmp_path: Path) -> None:
    """Control characters of an export are printed as question marks, and long names are cut off."""
    file = tmp_path / "users.json"
    file.write_text(json.dumps({"users": [{"localId": "\x1b[2J" + "x" * 500, "email": ""}]}))
    result = convert("firebase", file)

    assert "\x1b" not in result.output
    assert max(len(line) for line in result.output.splitlines()) < 200


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """A conversion of three thousand users, one megabyte, holds one user at a time in memory."""
    file, output = tmp_path / "users.json", tmp_path / "people.jsonl"
    user = json.dumps({"localId": "LOCAL", "email": "LOCAL@b.example", "displayName": "x" * 300}, indent=2)
    with file.open("w") as text:
        text.write('{"users": [')
        text.write(",\n".join(user.replace("LOCAL", f"u{number}") for number in range(3_000)))
        text.write("]}")
    convert("firebase", EXPORTS / "firebase-users.json", "--hash-config", PARAMETERS)
    tracemalloc.start()
    try:
        result = convert("firebase", file, "--output", output)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert result.stderr.splitlines()[0] == "3000 converted, 0 skipped."
    assert file.stat().st_size > 1_050_000
    assert most < 600_000


def test_value_of_auth0_metadata_that_another_one_replaces_is_named(tmp_path: Path) -> None:
    file = tmp_path / "users.ndjson"
    user = {"user_id": "auth0|1", "email": "ada@x.example", "user_metadata": {"plan": "free", "same": 1}}
    file.write_text(json.dumps(user | {"app_metadata": {"plan": "gold", "same": 1}}))
    result = convert("auth0", file)

    assert result.stderr.splitlines()[0] == (
        "users.ndjson:1: ada@x.example: not converted: a value of user_metadata: app_metadata has another one with this key (plan)"
    )
    assert "(same)" not in result.stderr
