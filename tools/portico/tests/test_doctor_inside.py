"""``portico doctor --service``: a service of a local installation looks at its own stores."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_harness.servers import RunningNats, RunningRedis
from portico_stack.processes import Program
from portico_stack.service_command import write_service_command

pytestmark = pytest.mark.servers


async def _ready() -> None:
    """Nothing is started."""


class Installation:
    """A data directory from which token was started."""

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
        """Records how token was started; nothing of it has to run for that."""
        argv = (sys.executable, "-m", "portico_token")
        environment = {"HOME": "/", **self.settings, **changed}
        write_service_command(self.data, "token", Program("token", argv, _ready, environment))

    def doctor(self, *arguments: str) -> Result:
        """Runs the command; no password is in its output."""
        result = CliRunner().invoke(main, ["doctor", "--data", str(self.data), *arguments])
        assert not [canary for canary in self.canaries if canary in result.output]
        return result


@pytest.fixture
def installation(tmp_path: Path, redis_server: RunningRedis, nats_server: RunningNats) -> Installation:
    """One of this test."""
    made = Installation(tmp_path, redis_server, nats_server)
    made.start()
    return made


def test_a_service_looks_with_its_own_settings(installation: Installation) -> None:
    """The findings bear its name; neither an operator's password nor a running service is needed."""
    result = installation.doctor("--service", "token", "--json")
    found = [json.loads(line) for line in result.output.splitlines()]

    assert result.exit_code == 0, result.output
    assert {one["name"] for one in found} >= {"token secrets", "token redis rights", "token nats rights"}
    assert {one["level"] for one in found} == {"ok"}


def test_what_is_wrong_has_status_1(installation: Installation) -> None:
    """The finding has why it matters and what to do."""
    installation.start(PORTICO_REDIS_URL="redis://127.0.0.1:9")
    result = installation.doctor("--service", "token")

    assert result.exit_code == 1
    assert "token redis  wrong: no master responds within 1.5 s (ConnectionError)" in result.output
    assert "Why: token rejects requests that need Redis with 503." in result.output
    assert "Fix: Check that Redis is running" in result.output


def test_settings_that_do_not_load(installation: Installation) -> None:
    """The sentence with which the service ends is the finding."""
    installation.start(PORTICO_PORT="none")
    result = installation.doctor("--service", "token")

    assert result.exit_code == 1
    assert "its checks failed to run: token: PORTICO_PORT: " in result.output


def test_a_service_that_was_not_started_from_there(installation: Installation) -> None:
    """A warning, with where it can be looked at instead."""
    result = installation.doctor("--service", "keys")

    assert result.exit_code == 0
    assert "keys         warning: it was not started from" in result.output
    assert "docker compose exec keys" in result.output
