"""``portico doctor --service``: a service of a local installation checks its own stores."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_harness.servers import RunningNats, RunningRedis
from portico_stack.processes.programs import Program
from portico_stack.running.service_commands import write_service_command

pytestmark = pytest.mark.servers


async def _ready() -> None:
    pass


class Installation:
    def __init__(self, data: Path, redis: RunningRedis, nats: RunningNats) -> None:
        self.data = data
        self.secrets = data / "secrets"
        self.secrets.mkdir(mode=0o700)
        self.canaries = (redis.password("token"), nats.password("token"))
        for name, value in zip(("redis_password", "bus_password"), self.canaries, strict=True):
            (self.secrets / f"portico_{name}").write_text(value)
        self.settings = {
            "PORTICO_SECRETS_DIR": str(self.secrets),
            "PORTICO_REDIS_URL": redis.url,
            "PORTICO_BUS_URL": nats.url,
        }

    def start(self, **changed: str) -> None:
        """Records how token was started, without running it."""
        argv = (sys.executable, "-m", "portico_token")
        environment = {"HOME": "/", **self.settings, **changed}
        write_service_command(self.data, "token", Program("token", argv, _ready, environment))

    def doctor(self, *arguments: str) -> Result:
        """Runs the command; asserts that its output has no password."""
        result = CliRunner().invoke(main, ["doctor", "--data", str(self.data), *arguments])
        assert not [canary for canary in self.canaries if canary in result.output]
        return result


@pytest.fixture
def installation(tmp_path: Path, redis_server: RunningRedis, nats_server: RunningNats) -> Installation:
    made = Installation(tmp_path, redis_server, nats_server)
    made.start()
    return made


def test_service_uses_its_own_settings(installation: Installation) -> None:
    """The findings have the service's name and need neither an operator's password nor a running service."""
    result = installation.doctor("--service", "token", "--json")
    found = [json.loads(line) for line in result.output.splitlines()]

    assert result.exit_code == 0, result.output
    assert {one["name"] for one in found} >= {"token secrets", "token redis rights", "token nats rights"}
    assert {one["level"] for one in found} == {"ok"}


def test_failed_check_has_status_1(installation: Installation) -> None:
    """A failed check has its impact and its fix."""
    installation.start(PORTICO_REDIS_URL="redis://127.0.0.1:9")
    result = installation.doctor("--service", "token")

    assert result.exit_code == 1
    assert "token redis  wrong: no master responds within 1.5 s (ConnectionError)" in result.output
    assert "Why: token rejects requests that need Redis with 503." in result.output
    assert "Fix: Check that Redis is running" in result.output


def test_invalid_settings_are_a_finding(installation: Installation) -> None:
    """The service's startup error is the finding."""
    installation.start(PORTICO_PORT="none")
    result = installation.doctor("--service", "token")

    assert result.exit_code == 1
    assert "its checks failed to run: token: PORTICO_PORT: " in result.output


def test_service_not_started_from_the_directory(installation: Installation) -> None:
    """A service that was not started from the directory gives a warning with the alternative."""
    result = installation.doctor("--service", "keys")

    assert result.exit_code == 0
    assert "keys         warning: it was not started from" in result.output
    assert "docker compose exec keys" in result.output
