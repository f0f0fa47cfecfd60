from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from portico_contracts.topology import TOPOLOGY
from portico_harness.eventually import HANGS
from portico_harness.servers import RunningMongo, RunningNats, RunningRedis

pytestmark = pytest.mark.servers

CANARY = "canary-of-settings-5d12-canary-of-settings"


class Deployment:
    def __init__(self, secrets: Path, redis: RunningRedis, mongo: RunningMongo, nats: RunningNats) -> None:
        self.secrets = secrets
        self.redis = redis
        self.mongo = mongo
        self.nats = nats

    def environment(self, service: str) -> dict[str, str]:
        """Returns the environment of a container: addresses in variables, secrets in files."""
        workload = TOPOLOGY[service]
        given = {
            "bus_password": self.nats.passwords.get(service, ""),
            "redis_password": self.redis.passwords.get(service, ""),
            "mongo_password": self.mongo.passwords.get(service, ""),
            "master_keys": "A" * 43 + "=",
            "login_api_key": CANARY,
        }
        for name in given.keys() & set(workload.secrets):
            (self.secrets / f"portico_{name}").write_text(given[name])
        return {
            "PORTICO_SECRETS_DIR": str(self.secrets),
            "PORTICO_REDIS_URL": self.redis.url,
            "PORTICO_MONGO_URL": self.mongo.url,
            "PORTICO_BUS_URL": self.nats.url,
            # A busy machine takes longer than the two seconds of a deployment.
            "PORTICO_REDIS_TIMEOUT": str(HANGS),
            "PORTICO_MONGO_TIMEOUT": str(HANGS),
        }


@pytest.fixture
def deployment(
    tmp_path: Path, redis_server: RunningRedis, mongo_server: RunningMongo, nats_server: RunningNats
) -> Deployment:
    (tmp_path / "secrets").mkdir(mode=0o700)
    return Deployment(tmp_path / "secrets", redis_server, mongo_server, nats_server)


def doctor(service: str, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", TOPOLOGY[service].module, "doctor", *arguments]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PORTICO_")}
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**clean, **environment})


@pytest.mark.parametrize(
    "service",
    ["authz", "keys", "users", *(pytest.param(name, marks=pytest.mark.long) for name in ("token", "login-ui"))],
)
def test_every_service_checks_its_own_servers(deployment: Deployment, service: str) -> None:
    """The status is 0 when nothing is wrong; services without additional checks are `long`."""
    result = doctor(service, deployment.environment(service), "--json")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    workload = TOPOLOGY[service]
    names = {finding["name"] for finding in found}
    wrong = {finding["name"] for finding in found if finding["level"] == "wrong"}

    assert wrong <= {"master keys"}, result.stdout  # other tests leave secrets under other master keys in this database
    assert (result.returncode, result.stderr) == (bool(wrong), "")
    assert ("mongo" in names, "redis" in names, "nats" in names) == (workload.mongo, workload.redis, workload.bus)
    assert ("outbound" in names, "mail" in names) == (workload.outbound, workload.mail)
    assert ("records" in names) == workload.mongo


@pytest.mark.long
def test_failure_has_status_1_a_fix_and_no_secret(deployment: Deployment) -> None:
    """One failed check does not stop the others, and no password is printed in any output format."""
    environment = deployment.environment("users") | {"PORTICO_BUS_URL": "nats://127.0.0.1:9"}
    for name in ("bus_password", "redis_password", "mongo_password"):
        (deployment.secrets / f"portico_{name}").write_text(CANARY)
    wrong = environment | {"PORTICO_SMTP_HOST": "127.0.0.1", "PORTICO_SMTP_PORT": "9", "PORTICO_SMTP_USER": "portico"}
    wrong |= {"PORTICO_SMTP_FROM": "a@mail.example", "PORTICO_SMTP_PASSWORD": CANARY}
    for arguments in ((), ("--json",), ("--email-to", "ada@mail.example")):
        result = doctor("users", wrong, *arguments)

        assert result.returncode == 1
        assert CANARY not in result.stdout + result.stderr
    printed = doctor("users", wrong).stdout

    assert "it rejects the password of the user users" in printed
    assert "nats         wrong: it does not respond" in printed
    assert "mail         wrong: 127.0.0.1:9 does not respond" in printed
    assert printed.count("Fix: ") >= printed.count("wrong: ") == 4


def test_invalid_settings_are_one_sentence(deployment: Deployment) -> None:
    result = doctor("login-ui", deployment.environment("login-ui") | {"PORTICO_PORT": "none"})

    assert result.returncode == 2
    assert result.stderr.startswith("login-ui: PORTICO_PORT: ")
