"""Settings and secrets of the services, and their visibility."""

from __future__ import annotations

import base64
import secrets
from dataclasses import replace
from pathlib import Path

import pytest
from portico_contracts.catalogue import BUS_USERS, SERVICES
from portico_contracts.topology import TOPOLOGY
from portico_oauth.master_keys import MasterKeys, UnsealingFailed
from portico_stack.assembly.services import Replica, SharedSettings, program_of, write_secrets
from portico_stack.installation.installation import Installation, load_or_create

SHARED = SharedSettings(
    issuer="http://localhost:1",
    authz_url="http://127.0.0.1:2",
    redis_url="redis://127.0.0.1:3",
    mongo_url="mongodb://127.0.0.1:4",
    bus_url="nats://127.0.0.1:5",
    bus_passwords={user: f"bus-{user}" for user in BUS_USERS},
    service_urls=dict.fromkeys(SERVICES, "http://127.0.0.1:6"),
)


@pytest.mark.parametrize("service", SERVICES)
def test_arguments_and_environment_contain_no_secrets(service: str, tmp_path: Path) -> None:
    """Secrets are passed in files that only the owner can read (IN-09)."""
    installation = load_or_create(tmp_path)
    directory = write_secrets(service, installation, SHARED, tmp_path / "secrets" / service)
    program = program_of(Replica(service, service, 1, 2), SHARED, directory, {})
    visible = " ".join([*program.argv, *program.env.values()])

    for file in directory.iterdir():
        assert file.read_text() not in visible
        assert file.stat().st_mode & 0o777 == 0o600
    assert directory.stat().st_mode & 0o777 == 0o700


def test_each_service_has_only_the_secrets_it_needs(tmp_path: Path) -> None:
    """The login pages have no store credentials, and only the owner of a master key has it (IN-05)."""
    installation = load_or_create(tmp_path)
    files = {
        service: sorted(
            path.name for path in write_secrets(service, installation, SHARED, tmp_path / service).iterdir()
        )
        for service in SERVICES
    }

    assert set(TOPOLOGY) == set(SERVICES)
    assert files["keys"] == ["portico_bus_password", "portico_master_keys", "portico_mongo_password"]
    assert files["users"] == [
        "portico_bus_password",
        "portico_master_keys",
        "portico_mongo_password",
        "portico_redis_password",
    ]
    assert files["login-ui"] == ["portico_login_api_key"]
    assert files["console"] == ["portico_console_client_key", "portico_master_keys", "portico_redis_password"]
    assert files["token"] == ["portico_bus_password", "portico_redis_password"]
    assert files["authz"] == ["portico_bus_password", "portico_login_api_key", "portico_redis_password"]


def master_keys(service: str, installation: Installation, directory: Path) -> str:
    return (write_secrets(service, installation, SHARED, directory / service) / "portico_master_keys").read_text()


def test_keys_and_users_have_separate_master_keys(tmp_path: Path) -> None:
    """The sealing key of one service cannot unseal the other's data (IN-05)."""
    installation = load_or_create(tmp_path)
    of_keys, of_users = (MasterKeys.read(master_keys(name, installation, tmp_path)) for name in ("keys", "users"))
    sealed = of_keys.seal(b"a private key", b"k1", secrets.token_bytes)

    assert of_keys.unseal(sealed, b"k1") == b"a private key"
    with pytest.raises(UnsealingFailed):
        of_users.unseal(sealed, b"k1")


def test_shared_master_key_of_older_installation_only_unseals(tmp_path: Path) -> None:
    """The formerly shared key still unseals but no longer seals, and a second start changes nothing."""
    shared = base64.b64encode(secrets.token_bytes(32)).decode()
    older = load_or_create(tmp_path)
    older.sealing_keys, older.master_key = {}, shared
    older.save(tmp_path)
    before = MasterKeys.read(shared)
    sealed = before.seal(b"a secret", b"u1", secrets.token_bytes)
    installation, again = load_or_create(tmp_path), load_or_create(tmp_path)
    of_keys, of_users = (MasterKeys.read(master_keys(name, installation, tmp_path)) for name in ("keys", "users"))

    assert of_keys.unseal(sealed, b"u1") == of_users.unseal(sealed, b"u1") == b"a secret"
    assert len({before.sealing, of_keys.sealing, of_users.sealing}) == 3
    assert again == installation


def test_only_bus_users_get_the_bus_address() -> None:
    """The stack's table and the table of bus users agree (IN-05)."""
    assert {service for service, workload in TOPOLOGY.items() if workload.bus} == {
        "authz",
        "token",
        "keys",
        "users",
    }
    assert set(BUS_USERS) == {"authz", "token", "keys", "users", "operator"}


def test_shell_environment_does_not_override_the_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables exported for ``portico apply`` do not override the stack's own, and other settings pass."""
    monkeypatch.setenv("PORTICO_BUS_PASSWORD", "the operator's")
    monkeypatch.setenv("PORTICO_STACK_REDIS_URL", "redis://admin:secret@elsewhere")
    monkeypatch.setenv("PORTICO_LOG_LEVEL", "debug")
    program = program_of(Replica("token", "token", 1, 2), SHARED, tmp_path, {"PORTICO_CODE_SECONDS": "5"})

    assert "PORTICO_BUS_PASSWORD" not in program.env
    assert "PORTICO_STACK_REDIS_URL" not in program.env
    assert program.env["PORTICO_LOG_LEVEL"] == "debug"
    assert program.env["PORTICO_CODE_SECONDS"] == "5"
    assert program.env["PORTICO_BUS_URL"] == SHARED.bus_url


def test_only_users_gets_the_mail_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other service gets the mail server's address or password, whatever the shell's environment has."""
    monkeypatch.setenv("PORTICO_SMTP_HOST", "mail.example.test")
    shared = replace(SHARED, mail_server={"PORTICO_SMTP_HOST": "127.0.0.1"})
    told = {
        service: program_of(Replica(service, service, 1, 2), shared, tmp_path, {}).env.get("PORTICO_SMTP_HOST")
        for service in SERVICES
    }

    assert told == {**dict.fromkeys(SERVICES), "users": "127.0.0.1"}
