"""Runs docker-compose.yml on a Docker engine: users sign in, and killed containers are replaced (`make compose`).

It builds every image, so `make test` runs it only where an engine is available. Project name, network names,
volume and port are unique to it. The engine does not restart a container after `docker kill`, whatever its
restart policy, so the process is killed from a container that shares the engine's process ids.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import msgspec
import pytest
from portico_contracts.http import DISCOVERY
from portico_harness.eventually import eventually
from portico_scenarios import relying_party
from portico_scenarios.agent import Agent
from portico_scenarios.participants import ALICE, APPS, document
from portico_scenarios.relying_party import Client
from portico_scenarios.world import code_in, http_client
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.ports import free_port
from testcontainers.compose import DockerCompose

pytestmark = pytest.mark.e2e

APP: Final = "basic"

SECONDS: Final = 90.0
"""Maximum time until a killed container is healthy: healthcheck interval plus restart delay."""

KILL: Final = "import os, signal, sys; os.kill(int(sys.argv[1]), signal.SIGKILL)"

CONTAINERS: Final = (
    "redis",
    "mongo",
    "nats",
    "keys",
    "users",
    "token",
    "authz",
    "login-ui",
    "console",
    "gateway",
)


@dataclass(frozen=True, slots=True)
class Composition:
    """The containers of docker-compose.yml, with the participants registered.

    Args:
        issuer: the gateway as reached from this machine.
        client: a registered client, where nothing listens.
    """

    compose: DockerCompose
    issuer: str
    client: Client

    def run_operator(self, *command: str, given: bytes = b"") -> str:
        """Returns the output of ``portico`` in the operator's container.

        Raises:
            CalledProcessError: when it fails.
        """
        run = ("run", "--rm", "-T", "operator", "portico", *command)
        return _output_of(*self.compose.docker_compose_command(), *run, given=given)

    def state_of(self, service: str) -> tuple[int, str]:
        restarts, health = self._inspect(service, "{{.RestartCount}} {{.State.Health.Status}}").split()
        return int(restarts), health

    def kill(self, service: str) -> None:
        """Kills the first process of a container, as the kernel's OOM killer does."""
        pid = self._inspect(service, "{{.State.Pid}}").strip()
        image = self.compose.get_config()["services"]["lay-out"]["image"]
        harmless = ("--network", "none", "--user", "10001:10001", "--cap-drop", "ALL")
        _output_of(
            "docker", "run", "--rm", "--pid", "host", *harmless, "--entrypoint", "python", image, "-c", KILL, pid
        )

    async def sign_in(self) -> str:
        """Signs in through the gateway; returns the subject of userinfo.

        Raises:
            AssertionError: on an unexpected or missing response.
        """
        try:
            async with http_client(self.issuer, None) as http:
                return await self._sign_in(http)
        except httpx.HTTPError as error:
            raise AssertionError(f"no answer: {error!r}") from error

    async def _sign_in(self, http: httpx.AsyncClient) -> str:
        metadata = (await http.get(f"{self.issuer}{DISCOVERY}")).raise_for_status().json()
        begun = relying_party.begin(metadata, self.client)
        async with Agent(self.issuer, http_client(self.issuer, None)) as agent:
            page = await agent.sign_in(begun.url, ALICE.login_name, ALICE.password)
        code = code_in(page)
        tokens = await relying_party.redeem(http, metadata, self.client, code, code_verifier=begun.verifier)
        access_token = tokens.raise_for_status().json()["access_token"]
        claims = (await relying_party.userinfo(http, metadata, access_token)).raise_for_status().json()
        return str(claims["sub"])

    def _inspect(self, service: str, wanted: str) -> str:
        container = self.compose.get_container(service, include_all=True)
        assert container.ID is not None
        return _output_of("docker", "inspect", "--format", wanted, container.ID)


def _output_of(*command: str, given: bytes = b"") -> str:
    ended = subprocess.run(command, input=given, cwd=REPOSITORY, capture_output=True, check=False)
    assert ended.returncode == 0, f"{command}: {ended.stderr.decode(errors='replace')}"
    return ended.stdout.decode()


@pytest.fixture(scope="module")
def composition(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composition]:
    port = free_port()
    issuer = f"http://localhost:{port}"
    settings = _settings_in(tmp_path_factory.mktemp("compose") / "settings.env", port, issuer)
    compose = DockerCompose(REPOSITORY, compose_file_name="docker-compose.yml", build=True, env_file=str(settings))
    client = APPS[APP].client(free_port())
    with compose:
        started = Composition(compose, issuer, client)
        started.run_operator("apply", "-", given=msgspec.json.encode(document({APP: client})))
        yield started


def _settings_in(path: Path, port: int, issuer: str) -> Path:
    path.write_text(
        f"COMPOSE_PROJECT_NAME=portico-drill-{port}\nPORTICO_PUBLISH=127.0.0.1:{port}:8080\nPORTICO_ISSUER={issuer}\n"
    )
    return path


async def test_users_sign_in(composition: Composition) -> None:
    """The documented commands build, start and register an installation where a user signs in through the gateway."""
    assert await composition.sign_in() == ALICE.id


def test_first_administrator_is_invited(composition: Composition) -> None:
    """The operator's container prints a one-time link at the public URL."""
    assert f"{composition.issuer}/ui/login/first-run?code=" in composition.run_operator("first-run")


@pytest.mark.parametrize("service", CONTAINERS)
async def test_killed_container_is_replaced(composition: Composition, service: str) -> None:
    """A killed container is restarted by its policy and becomes healthy, and a user signs in."""
    restarts, _health = composition.state_of(service)

    async def look() -> tuple[int, str]:
        return composition.state_of(service)

    composition.kill(service)
    await eventually(look, lambda state: state == (restarts + 1, "healthy"), seconds=SECONDS)

    assert await eventually(composition.sign_in, lambda subject: subject == ALICE.id, seconds=SECONDS) == ALICE.id
