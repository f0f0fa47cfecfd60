"""Builds the image of everything and runs it with a Docker engine (`make compose`): health, link, stop and upgrade."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Final

import httpx
import pytest
from portico_contracts.http import DISCOVERY
from portico_harness.eventually import eventually
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

SECONDS: Final = 120.0
HARDENED: Final = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges")
MOST_MIB: Final = 500


def docker(*command: str) -> str:
    ended = subprocess.run(("docker", *command), cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{command}: {ended.stderr}"
    return ended.stdout.strip()


@pytest.fixture(name="name", scope="module")
def _name() -> Iterator[str]:
    """The name of a container, its image and its volume, which are removed afterwards."""
    name = f"portico-drill-{free_port()}"
    docker("build", "--file", "deploy/Dockerfile", "--tag", name, ".")
    yield name
    subprocess.run(("docker", "rm", "--force", name), capture_output=True, check=False)
    subprocess.run(("docker", "volume", "rm", name), capture_output=True, check=False)
    subprocess.run(("docker", "rmi", name), capture_output=True, check=False)


async def start(name: str, port: int) -> None:
    issuer = ("--env", f"PORTICO_ISSUER=http://localhost:{port}", "--publish", f"127.0.0.1:{port}:8080")
    docker("run", "--detach", "--name", name, "--volume", f"{name}:/data", *issuer, *HARDENED, name)

    async def health() -> str:
        return docker("inspect", "--format", "{{.State.Health.Status}}", name)

    await eventually(health, lambda state: state == "healthy", seconds=SECONDS)


def sealing_keys(name: str) -> object:
    return json.loads(docker("exec", name, "cat", "/data/installation.json"))["sealing_keys"]


def memory(name: str) -> int:
    """Returns the MiB of all processes, without the files that the kernel keeps in memory for them."""
    lines = docker("exec", name, "cat", "/sys/fs/cgroup/memory.stat").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("anon ")) // 2**20


async def test_container_runs_stops_and_is_replaced(name: str) -> None:
    """The container becomes healthy, serves its issuer, takes little memory and stops on SIGTERM, and another one has
    its data.
    """
    port = free_port()
    await start(name, port)
    printed = docker("logs", name)
    async with httpx.AsyncClient() as http:
        before = (await http.get(f"http://localhost:{port}{DISCOVERY}")).json()
    mongod = docker("exec", name, "mongod", "--version")
    kept = sealing_keys(name)
    used = memory(name)
    docker("stop", "--time", "10", name)
    status = docker("inspect", "--format", "{{.State.ExitCode}}", name)
    docker("rm", name)
    await start(name, port)
    async with httpx.AsyncClient() as http:
        after = (await http.get(f"http://localhost:{port}{DISCOVERY}")).json()

    assert f"http://localhost:{port}/ui/login/first-run?code=" in printed
    assert "db version v8.0." in mongod
    assert before == after
    assert before["issuer"] == f"http://localhost:{port}"
    assert status == "0"
    assert kept == sealing_keys(name)
    assert used <= MOST_MIB
