"""`portico upgrade check`: what it reads without a server. tests-e2e/test_upgrade_check.py runs it on stored data."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import bson
import pyrage
import pytest
from click.testing import CliRunner
from portico_cli.backup.archive import Reader, authentication_keys, writing
from portico_cli.cli import main
from portico_cli.commands import upgrade
from portico_cli.upgrade import scratch
from portico_cli.upgrade.jump import check_jump
from portico_cli.upgrade.rehearsal import _compare
from portico_cli.upgrade.scratch import filled, new_scratch, without_credentials
from portico_cli.upgrade.settings_check import check_documents, check_settings
from portico_harness.servers import running_mongo
from portico_runtime.doctor.finding import Finding
from portico_stack.processes.programs import Program
from portico_stack.running.service_commands import write_service_command
from portico_stack.servers.mongo_names import ADMIN
from pymongo import MongoClient


async def _ready() -> None:
    pass


def test_unknown_settings_are_named_with_their_place(tmp_path: Path) -> None:
    """A setting that this release does not know stops every service; its value is not printed."""
    env_file = tmp_path / "portico.env"
    env_file.write_bytes(b"# \xff\n\nexport PORTICO_ISSUER=https://id.example\nPORTICO_OLD_NAME=secret-value\nHOME=/\n")
    program = Program("token", ("python",), _ready, {"PORTICO_GONE": "secret-value", "PORTICO_PORT": "1"})
    write_service_command(tmp_path, "token", program)
    found = check_settings(tmp_path, [env_file])

    assert [(one.level, one.text) for one in found] == [
        ("wrong", "PORTICO_GONE in the last start of token: not a setting of this release"),
        ("wrong", f"PORTICO_OLD_NAME in {env_file}: not a setting of this release"),
    ]
    assert "secret-value" not in str(found)
    assert [one.level for one in check_settings(tmp_path / "none", [])] == ["ok"]


def test_documents_are_read_by_the_rules_of_this_release(tmp_path: Path) -> None:
    """A document that `portico apply` would refuse is named with its line."""
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("organizations: [{id: acme, name: Acme}]\n")
    bad.write_text("organizations:\n  - id: acme\n    nmae: Acme\n")
    found = check_documents([good, bad], {})

    assert [one.level for one in found] == ["ok", "wrong"]
    assert f"{bad}:3:" in found[1].text


@pytest.mark.parametrize(
    ("stored", "level"),
    [("0.3.0", "ok"), ("0.2.0", "ok"), ("0.1.4", "ok"), ("0.0.9", "warning"), ("0.4.0", "wrong"), ("dev", "warning")],
)
def test_jump_of_at_most_two_releases_is_supported(stored: str, level: str) -> None:
    """Data of the two releases before this one is upgraded directly, data of a newer one never."""
    assert check_jump(stored, "0.3.0", "2026-11-26").level == level


def test_fewer_objects_after_a_rehearsal_are_an_error() -> None:
    before = Counter(users=3, apps=2)

    assert _compare(before, Counter(users=4, apps=2)).level == "ok"
    assert _compare(before, Counter(users=2, apps=2)).text == "fewer records than before: users (3, now 2)"


def test_services_get_no_credentials_of_the_administrator() -> None:
    """The URL for the checks has neither the administrator's password nor the database of its login."""
    url = "mongodb://operator:p%40ss@127.0.0.1:9/?replicaSet=portico&authSource=admin"

    assert without_credentials(url) == "mongodb://127.0.0.1:9/?replicaSet=portico"


def test_nothing_to_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an installation the check names the commands for containers; a refusal is a finding with status 1."""
    monkeypatch.delenv("PORTICO_STACK_MONGO_URL", raising=False)
    command = ("upgrade", "check", "--json", "--data", str(tmp_path))
    nothing = CliRunner().invoke(main, command)
    backup = tmp_path / "one.backup"
    backup.write_bytes(b"x")
    refused = CliRunner().invoke(main, (*command, "--backup", str(backup)))
    findings = [json.loads(line) for line in nothing.output.splitlines()]

    assert nothing.exit_code == 0
    assert findings[-1]["level"] == "warning"
    assert "doctor --records" in findings[-1]["fix"]
    assert refused.exit_code == 1
    assert "--users-master-keys" in json.loads(refused.output.splitlines()[-1])["text"]


def write_backup(folder: Path, stored: dict[str, dict[str, Any]], key: bytes) -> tuple[Path, str]:
    """Returns the file, with a document for each collection of users, and the age identity."""
    identity, file = pyrage.x25519.Identity.generate(), folder / "one.backup"
    with writing(file, str(identity.to_public()), key) as writer:
        writer.header(release="0.2.0", made_at=1.0)
        for collection, document in stored.items():
            writer.add(f"portico_users.{collection}", [bson.encode(document)])
    return file, str(identity)


@pytest.mark.servers
@pytest.mark.long
async def test_copy_sends_nothing(tmp_path: Path) -> None:
    """Pending events are deleted and webhooks off before a service starts on the copy; the rest is unchanged."""
    stored = {
        "webhooks": {"_id": "hook", "state": "active", "url": "https://hooks.example"},
        "outbox": {"_id": "event"},
        "orgs": {"_id": "acme", "state": "active"},
    }
    file, identity = write_backup(tmp_path, stored, b"k" * 32)
    data = tmp_path / "copy"
    installation = new_scratch(data, {})
    async with filled(data, Reader(file, identity, [b"k" * 32])) as copy:
        password = installation.mongo_passwords["users"]
        with MongoClient[dict[str, Any]](
            copy.url, username="users", password=password, authSource="portico_users"
        ) as client:
            found = {name: list(client["portico_users"][name].find()) for name in stored}

    assert copy.documents == 3
    assert found == {"webhooks": [stored["webhooks"] | {"state": "inactive"}], "outbox": [], "orgs": [stored["orgs"]]}


@pytest.mark.servers
def test_copy_uses_no_server_of_the_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator who makes backups has named them in the environment: the check must not write to them."""
    master_key, seen = b64encode(b"k" * 32).decode(), []
    file, identity = write_backup(tmp_path, {"users": {"_id": "ada"}}, authentication_keys(master_key)[0])
    (tmp_path / "age.key").write_text(identity)
    (tmp_path / "master.key").write_text(master_key)
    options = {"backup": file, "key": tmp_path / "age.key", "data": tmp_path / "none"}
    options |= dict.fromkeys(("master-keys", "users-master-keys"), tmp_path / "master.key")

    async def rehearse(*_given: object) -> AsyncIterator[Finding]:
        seen.append({name for name in os.environ if name in given})
        yield Finding("rehearsal", "ok", "it ends")

    monkeypatch.setattr(upgrade, "rehearse", rehearse)
    with running_mongo(tmp_path / "installation") as server:
        login = f"{ADMIN}:{quote(server.password(ADMIN), safe='')}@"
        url = f"{server.url.replace('//', f'//{login}')}&authSource=admin"
        given = {f"PORTICO_STACK_{name}": url for name in ("MONGO_URL", "MONGO_AT", "REDIS_URL", "NATS_URL")}
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        with MongoClient[dict[str, Any]](url) as client:
            client["portico_users"]["users"].insert_one({"_id": "registered later"})
            words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
            printed = CliRunner().invoke(main, ["upgrade", "check", "--rehearse", *words]).output
            left = client["portico_users"]["users"].distinct("_id")

    assert (left, seen) == (["registered later"], [set()]), printed
    assert given.keys() <= os.environ.keys()


def test_text_in_place_of_master_keys_is_a_finding(tmp_path: Path) -> None:
    """It is a finding even without authentication, for which the master keys are not needed."""
    file = tmp_path / "keys.txt"
    file.write_text("not base64")
    options = ["--backup", "--key", "--master-keys", "--users-master-keys"]
    typed = [one for option in options for one in (option, str(file))]
    result = CliRunner().invoke(main, ["upgrade", "check", *typed, "--unauthenticated"], catch_exceptions=False)

    assert result.exit_code == 1
    assert "not checked: the master keys cannot be read" in result.stdout


def without_servers(folder: Path) -> list[str]:
    """A command that rehearses, whose directory for temporary files is below the given one."""
    key = folder / "master.key"
    key.write_text(b64encode(b"k" * 32).decode())
    (folder / "scratch").mkdir()
    options = {"data": folder / "none", "master-keys": key, "users-master-keys": key}
    return ["upgrade", "check", "--json", "--rehearse", *(f"--{name}={value}" for name, value in options.items())]


def test_copy_that_may_fill_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk would stop MongoDB of the installation as well, and nothing is left of the attempt."""
    file, identity = write_backup(tmp_path, {"users": {"_id": "ada"}}, b"k" * 32)
    (tmp_path / "age.key").write_text(identity)
    argv = [*without_servers(tmp_path), f"--backup={file}", f"--key={tmp_path / 'age.key'}"]
    monkeypatch.setattr(shutil, "disk_usage", lambda _at: SimpleNamespace(free=10**9))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    found = CliRunner().invoke(main, argv)

    assert found.exit_code == 1
    assert "has 1.0 GB. Set TMPDIR" in json.loads(found.stdout.splitlines()[-1])["text"]
    assert not list((tmp_path / "scratch").iterdir())


def test_nothing_is_copied_where_the_records_stop_the_upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of a large installation takes minutes, and would not be rehearsed."""

    async def in_place(_source: object) -> AsyncIterator[Finding]:
        yield Finding("users master keys", "wrong", "one is missing")

    monkeypatch.setattr(upgrade, "_in_place", in_place)
    monkeypatch.setattr(tempfile, "mkdtemp", None)
    found = CliRunner().invoke(main, without_servers(tmp_path), catch_exceptions=False)

    assert [json.loads(line)["name"] for line in found.stdout.splitlines()[-2:]] == ["users master keys", "rehearsal"]


@pytest.mark.servers
@pytest.mark.long
def test_encrypted_copy_is_removed_once_it_is_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rehearsal needs the restored records only, and the disk has them once."""
    seen: list[str] = []

    async def copied(_source: object, folder: Path, _master_keys: str) -> Reader:
        file, identity = write_backup(folder, {"users": {"_id": "ada"}}, b"k" * 32)
        return Reader(file.rename(folder / scratch.ARCHIVE), identity, [b"k" * 32])

    async def rehearse(data: Path, *_given: object) -> AsyncIterator[Finding]:
        seen.extend(one.name for one in data.parent.iterdir())
        yield Finding("rehearsal", "ok", "it ends")

    monkeypatch.setattr(upgrade, "_reader", copied)
    monkeypatch.setattr(upgrade, "rehearse", rehearse)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    found = CliRunner().invoke(main, without_servers(tmp_path), catch_exceptions=False)

    assert (found.exit_code, seen) == (0, ["installation"]), found.stdout
    assert not list((tmp_path / "scratch").iterdir())
