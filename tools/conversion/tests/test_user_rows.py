from __future__ import annotations

import gzip
import json
import stat
from pathlib import Path

import pytest

from .converting import EXPORTS, PARAMETERS, convert, rows

SIGNER_KEY = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
DISABLED = "disabled at the source: an import creates only active users"
NO_EMAIL = "no email address, which every user must have"
NO_PROVIDER = "an identity provider without --idp"


def test_keycloak_export_becomes_rows() -> None:
    """Ids, names, verified addresses, attributes and hashes are converted; everything else is reported."""
    result = convert("keycloak", EXPORTS / "keycloak-realm.json", "--idp", "google=g-here")
    first, second, third = rows(result)

    assert first == {
        "userId": "0f3b1c52-3c3f-4f57-9c0f-5b1f6f6a0c01",
        "username": "kc-user1",
        "profile": {"firstName": "User", "lastName": "One", "preferredLanguage": "de"},
        "email": {"email": "user1@keycloak.localhost", "isVerified": True},
        "metadata": [{"key": "group", "value": "dXNlcnM="}],
        "hashedPassword": {
            "hash": "$pbkdf2-sha256$27500$P5rtFkGtPfoaryJ6PizUJw$JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k"
        },
    }
    assert second["hashedPassword"]["hash"].startswith("$pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw$6uvwTNzyS6")
    assert second["totpSecret"] == "IFREGZCFMZDWQSLKJNWE23SPOBIXEU3U"
    assert third["hashedPassword"]["hash"].startswith("$argon2id$v=19$m=7168,t=5,p=1$EBESExQVFhcYGRobHB0eHw$")
    assert third["idpLinks"] == [{"idpId": "g-here", "userId": "110248495921238986420", "userName": "user3@gmail.com"}]
    assert third["email"]["isVerified"] is False
    assert result.stderr.splitlines() == [
        "keycloak-realm.json:45: kc-user2: not converted: roles (editor, shop:buyer)",
        "keycloak-realm.json:45: kc-user2: not converted: groups (/staff)",
        f"keycloak-realm.json:124: kc-left: skipped: {DISABLED}",
        "keycloak-realm.json:139: service-account-shop: skipped: the service account of a client, which `portico convert` converts",
        "3 converted, 2 skipped.",
        f"  1 x skipped: {DISABLED}",
        "  1 x skipped: the service account of a client, which `portico convert` converts",
        "  1 x not converted: groups",
        "  1 x not converted: roles",
        "  8 x note: parts without users, which `portico convert` converts or names: clients, defaultSignatureAlgorithm, displayName, enabled, id, loginWithEmailAllowed, notBefore, sslRequired",
        "  3 x note: timestamps and internal fields of the source: createdTimestamp",
        "  3 x note: timestamps and internal fields of the source: credentials.createdDate",
        "  3 x note: timestamps and internal fields of the source: credentials.id",
        "  1 x note: timestamps and internal fields of the source: credentials.userLabel",
        "  1 x note: timestamps and internal fields of the source: totp",
    ]


def test_auth0_exports_become_rows() -> None:
    """Users and hashes are joined by id in either file order, and the prefixed id stays the sub."""
    users, hashes = EXPORTS / "auth0-users.ndjson", EXPORTS / "auth0-hashes.ndjson"
    result = convert("auth0", users, hashes)
    nico, euclid = rows(result)
    hash = nico.pop("hashedPassword")["hash"]

    assert nico == {
        "userId": "auth0|5dea9f9c82dd7c0e76e4ec93",
        "profile": {"firstName": "nico", "nickName": "nico"},
        "email": {"email": "nico@auth0.localhost", "isVerified": True},
        "attributes": {"picture": "https://s.gravatar.com/avatar/0?s=480"},
        "metadata": [
            {"key": "country", "value": "Q0g="},
            {"key": "plan", "value": "eyJuYW1lIjogImdvbGQiLCAic2VhdHMiOiAzfQ=="},
        ],
    }
    assert (hash[:7], euclid["userId"], euclid["hashedPassword"]["hash"]) == ("$2b$10$", "auth0|euclid", hash)
    assert euclid["profile"] == {"firstName": "Euclid", "lastName": "of Alexandria", "nickName": "euclid"}
    assert convert("auth0", hashes, users).stdout == result.stdout
    assert result.stderr.splitlines()[:5] == [
        "auth0-users.ndjson:2: euclid@auth0.localhost: not converted: second factors (guardian)",
        f"auth0-users.ndjson:2: euclid@auth0.localhost: not converted: {NO_PROVIDER} (google-oauth2)",
        f"auth0-users.ndjson:3: blocked@auth0.localhost: skipped: {DISABLED}",
        "hashes: auth0|5dea9f9c82dd7c0e76e4ec99: not converted: a password hash of a user who is not in the export",
        "2 converted, 1 skipped.",
    ]


def identity(connection: str, user_id: str) -> dict[str, object]:
    """An enterprise connection; the id at its provider follows the name of the connection."""
    return {"provider": "oidc", "connection": connection, "user_id": f"{connection}|{user_id}", "isSocial": False}


def auth0_users(folder: Path, *connections: str) -> Path:
    file = folder / "users.ndjson"
    users = [
        {"user_id": f"oidc|{one}|17", "email": f"ann@{one}.example", "identities": [identity(one, "17")]}
        for one in connections
    ]
    file.write_text("".join(json.dumps(user) + "\n" for user in users))
    return file


def test_auth0_connections_of_one_strategy_are_told_apart(tmp_path: Path) -> None:
    """--idp names the connection, and the link has the id that its provider sends as `sub`."""
    users = auth0_users(tmp_path, "partner-a", "partner-b", "partner-c")
    mapped = [word for pair in ("partner-a=a-here", "partner-b=b-here", "oidc=c-here") for word in ("--idp", pair)]

    assert [row["idpLinks"] for row in rows(convert("auth0", users, *mapped))] == [
        [{"idpId": f"{one}-here", "userId": "17", "userName": f"ann@partner-{one}.example"}] for one in "abc"
    ]


def test_strategy_of_two_auth0_connections_is_refused(tmp_path: Path) -> None:
    """One provider would otherwise sign in the users of the other one who have the same id there."""
    output = tmp_path / "people.jsonl"
    users = auth0_users(tmp_path, "partner-a", "partner-b")
    result = convert("auth0", users, "--idp", "oidc=here", "--output", output)

    assert (result.exit_code, output.exists()) == (1, False)
    told = "users.ndjson:2: partner-a and partner-b are both of the kind oidc. Set --idp for each of them."
    assert told in result.stderr


def test_two_ids_of_one_provider_are_refused() -> None:
    """The first one would be ignored silently, and links would be those of another provider."""
    result = convert("zitadel", EXPORTS / "zitadel.json", "--idp", "old=one", "--idp", "old=two")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--idp has two ids for old: one and two." in result.stderr


def test_zitadel_export_becomes_rows() -> None:
    """Metadata and links follow the users in the file, and rows name the export's or the given organization."""
    result = convert("zitadel", EXPORTS / "zitadel.json", "--idp", "69629023906480000=g-here")
    minnie, mickey = rows(result)
    elsewhere = rows(convert("zitadel", EXPORTS / "zitadel.json", "--organization", "acme"))
    hash = minnie.pop("hashedPassword")["hash"]

    assert minnie == {
        "userId": "69629026806489455",
        "username": "z-minnie",
        "organisation": {"orgId": "69629023906488334"},
        "profile": {
            "firstName": "Minnie",
            "lastName": "Mouse",
            "nickName": "Mini",
            "displayName": "Minnie M.",
            "preferredLanguage": "en",
            "gender": "GENDER_FEMALE",
        },
        "email": {"email": "minnie@zitadel.localhost", "isVerified": True},
        "phone": {"phone": "+41791234567", "isVerified": True},
        "metadata": [{"key": "plan", "value": "Z29sZA=="}],
    }
    assert hash.startswith("$2a$10$")
    assert mickey["totpSecret"] == "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    assert mickey["profile"] == {"firstName": "Mickey", "lastName": "Mouse"}
    assert mickey["idpLinks"] == [
        {"idpId": "g-here", "userId": "110248495921238986422", "userName": "mickey@gmail.com"}
    ]
    assert [row["organisation"] for row in elsewhere] == [{"orgId": "acme"}] * 2
    assert result.stderr.splitlines()[:4] == [
        f"zitadel.json:83: z-nomail: skipped: {NO_EMAIL}",
        "2 converted, 1 skipped.",
        f"  1 x skipped: {NO_EMAIL}",
        "  6 x note: parts without users, which `portico convert` converts or names: domains, machineUsers, oidcApps, org, projects, userGrants",
    ]


def test_firebase_export_becomes_rows() -> None:
    """The converted hash of the published sample is verified by `users` with its published password."""
    result = convert("firebase", EXPORTS / "firebase-users.json", "--hash-config", PARAMETERS)
    stream = "GjH2+Jz+dglLj5NuFkZHgBvZnv8Z8VZE5sdIgEAbIgeXy+ZfSpJLu1A++pZcpx0OhX41mDwvu2Olmp+PnfLfyQ"

    assert rows(result) == [
        {
            "userId": "kYi4EvWQlQTKSfnJ3dRSP6IH3ed2",
            "profile": {"firstName": "Test User", "lastName": "1"},
            "email": {"email": "user1@test.com", "isVerified": False},
            "metadata": [{"key": "plan", "value": "Z29sZA=="}, {"key": "seats", "value": "Mw=="}],
            "hashedPassword": {"hash": f"$firebase-scrypt$ln=14,r=8$42xEC+ixf3L2lwc${stream}"},
        }
    ]
    assert result.stderr.splitlines()[:4] == [
        f"firebase-users.json:2: user1@test.com: not converted: {NO_PROVIDER} (google.com)",
        f"firebase-users.json:21: kYi4EvWQlQTKSfnJ3dRSP6IH3ed3: skipped: {NO_EMAIL}",
        f"firebase-users.json:29: disabled@test.com: skipped: {DISABLED}",
        "1 converted, 2 skipped.",
    ]


@pytest.mark.parametrize(
    ("before", "after", "error"),
    [
        ("SCRYPT", "BCRYPT", "The algorithm is not SCRYPT"),
        ("base64_signer_key", "base64_key", "base64_signer_key is missing."),
        ("rounds: 8", "rounds: 9", "rounds must be 1 to 8"),
        ("mem_cost: 14", "mem_cost: 31", "mem_cost 1 to 14"),
        ("mem_cost: 14", "mem_cost: many", "a number is invalid"),
        ("jxspr8Ki", "jxspr8Ki!!!!", "A key is not base64"),
        ("jxspr8Ki", "", "The signer key must have 64 bytes"),
    ],
)
def test_signer_key_is_not_written(tmp_path: Path, before: str, after: str, error: str) -> None:
    """The signer key is neither in rows and reports nor in errors about the parameters (IN-09)."""
    parameters, users = tmp_path / "parameters.txt", EXPORTS / "firebase-users.json"
    parameters.write_text(PARAMETERS.read_text().replace(before, after))
    refused = convert("firebase", users, "--hash-config", parameters)
    done = convert("firebase", users, "--hash-config", PARAMETERS)

    assert refused.exit_code == 1
    assert error in refused.stderr
    assert done.exit_code == 0
    assert not [part for part in (SIGNER_KEY[:16], SIGNER_KEY[-18:]) if part in refused.output + done.output]


INVALID = (
    ("keycloak", "", "export.json:1: Expected {."),
    ("keycloak", "[]x", "export.json:1: Unexpected end of the document."),
    ("keycloak", '{"id": "x"}', "export.json:1: The file has neither a realm nor users: it is not a Keycloak export."),
    ("keycloak", '{"users": {}}', "export.json:1: Expected [."),
    ("keycloak", '{"users": [\n{"id": "1",\n "email" "a"}]}', "export.json:3: Invalid JSON: Expecting ':' delimiter."),
    ("keycloak", '{"users": [{"id": "1"}\n\n', "export.json:3: Expected a comma or ]."),
    ("keycloak", '{"users": [{"id": "1', "export.json:1: Invalid JSON: Unterminated string starting at."),
    ("keycloak", '{"users": [' + "[" * 100_000, "export.json:1: This value is nested too deeply or contains an unsupported number."),
    ("keycloak", '{"realm": "a",\n"users": [1e999999, NaN]}', "export.json:2: This value is nested too deeply or contains an unsupported number."),
    ("keycloak", '{"realm": "a", 5: 6}', "export.json:1: Expected a name in quotes."),
    ("firebase", "kYi4,user1@test.com,false", "export.json:1: This is not JSON from `firebase auth:export`. CSV exports are not supported."),
    ("firebase", '{"realm": "x"}', "export.json:1: The file has no users: it is not a Firebase export."),
    ("firebase", '{"users": [\n{"localId": "a", "email": "a@b", "passwordHash": "AA=="}]}', "export.json:2: This user has a password hash. Set --hash-config to the file with the hash parameters."),
    ("zitadel", '{"users": []}', "export.json:1: The file has no orgs: it is not a ZITADEL export."),
    ("zitadel", '{"orgs": [null]}', "export.json:1: Expected {."),
    ("auth0", '[{"user_id": "auth0|1"}]', "export.json:1: This line is not an object. An Auth0 export has one object per line, without an array around them."),
    ("auth0", '{"Id": "auth0|1"}', "export.json:1: This object has neither user_id nor passwordHash. Export the fields listed in the guide."),
    ("auth0", '{"user_id": "a|1", "email": "a@b"}\n\n{"user_id', "export.json:3: This line is not JSON. An Auth0 export has one object per line."),
    ("auth0", '{"user_id": "a|1", "name": "\\ud83e"}', "export.json:1: This line contains an unpaired surrogate, which is not valid text."),
    ("keycloak", '{"users": [\n{"id": "\\ud83e"}]}', "export.json:2: This value contains an unpaired surrogate, which is not valid text."),
    ("auth0", '{"_id": "x", "passwordHash": "y"}', "export.json:1: This is not a row of a password hash export: Expected `object`, got `str` - at `$._id`."),
)  # fmt: skip
"""Source, export, and the line of the error."""


def test_invalid_export_is_refused_with_its_line(tmp_path: Path) -> None:
    """An invalid export gives a message with file and line, status 1, and no complete-looking output file."""
    file, output = tmp_path / "export.json", tmp_path / "people.jsonl"
    for source, text, error in INVALID:
        file.write_text(text)
        result = convert(source, file, "--output", output)

        assert result.exit_code == 1, (source, text)
        assert error in result.stderr.splitlines(), (source, text)
        assert not output.exists(), (source, text)


@pytest.mark.parametrize("source", ["keycloak", "auth0", "zitadel", "firebase"])
@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{\xff", "The file is not UTF-8."),
        (gzip.compress(b"{}" * 90, mtime=0)[:20], "The compressed file is truncated."),
        (gzip.compress(b"{}", mtime=0)[:10] + b"\xff" * 20, "The file cannot be read."),
    ],
    ids=["encoding", "cut off", "broken"],
)
def test_binary_file_is_refused(tmp_path: Path, source: str, content: bytes, error: str) -> None:
    """Bytes of another encoding and a truncated compressed file are refused."""
    file = tmp_path / "export.json"
    file.write_bytes(content)
    result = convert(source, file)

    assert result.exit_code == 1
    assert error in result.stderr


def test_output_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    """The output holds hashes, so only its owner can read it, and nothing of it is printed."""
    output = tmp_path / "people.jsonl"
    result = convert("keycloak", EXPORTS / "keycloak-realm.json", "--output", output)

    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    assert len(output.read_text().splitlines()) == 3
    assert (result.stdout, "$pbkdf2" in result.stderr) == ("", False)


def test_output_is_a_new_file(tmp_path: Path) -> None:
    """Rows with passwords are never written into a file that others may read, or through a link."""
    readable, link = tmp_path / "readable", tmp_path / "link"
    readable.write_text("old")
    readable.chmod(0o644)
    link.symlink_to(tmp_path / "elsewhere")
    done = convert("keycloak", EXPORTS / "keycloak-realm.json", "--output", readable)
    refused = convert("keycloak", EXPORTS / "keycloak-realm.json", "--output", link)

    assert (done.exit_code, stat.S_IMODE(readable.stat().st_mode)) == (0, 0o600)
    assert (refused.exit_code, "It is a link or a device" in refused.stderr) == (1, True)
    assert not (tmp_path / "elsewhere").exists()


def test_failed_conversion_keeps_the_earlier_output(tmp_path: Path) -> None:
    """An earlier output file is replaced only by a complete one."""
    output, broken = tmp_path / "people.jsonl", tmp_path / "export.json"
    output.write_text("old")
    broken.write_text('{"users": [')
    refused = convert("keycloak", broken, "--output", output)

    assert refused.exit_code == 1
    assert sorted((one.name, one.read_text()) for one in tmp_path.iterdir()) == [
        ("export.json", '{"users": ['),
        ("people.jsonl", "old"),
    ]


@pytest.mark.parametrize("name", ["users.json", "parameters.txt"])
def test_export_is_not_overwritten(tmp_path: Path, name: str) -> None:
    """An output path that is an input file, by whatever path, is refused before it is opened."""
    users, parameters, link = tmp_path / "users.json", tmp_path / "parameters.txt", tmp_path / "people.jsonl"
    users.write_bytes((EXPORTS / "firebase-users.json").read_bytes())
    parameters.write_bytes(PARAMETERS.read_bytes())
    link.symlink_to(tmp_path / name)
    before = (tmp_path / name).read_bytes()

    assert convert("firebase", users, "--hash-config", parameters, "--output", link).exit_code == 2
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("typed", [("--idp", "google"), ("--idp", "=g"), ("--hash-config", "nowhere")])
def test_wrong_usage_has_status_2(typed: tuple[str, ...]) -> None:
    """Wrong usage ends with status 2 before anything is read."""
    assert convert("firebase", EXPORTS / "firebase-users.json", *typed).exit_code == 2


def test_compressed_export_is_read(tmp_path: Path) -> None:
    """Exports compressed with gzip, as Auth0 delivers them, give the same rows."""
    file = tmp_path / "tenant.json.gz"
    file.write_bytes(gzip.compress((EXPORTS / "auth0-users.ndjson").read_bytes()))

    assert convert("auth0", file).stdout == convert("auth0", EXPORTS / "auth0-users.ndjson").stdout
