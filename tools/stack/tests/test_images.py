"""The image recipe without containers: each service in a separate environment, started as in the composition."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from portico_contracts.topology import TOPOLOGY
from portico_harness.eventually import HANGS, eventually
from portico_stack import http_probe
from portico_stack.demo import REPOSITORY
from portico_stack.image_environment import environment_of
from portico_stack.in_compose import lay_out
from portico_stack.ports import free_port

pytestmark = [pytest.mark.servers, pytest.mark.long, pytest.mark.xdist_group("images")]

RECIPE = (REPOSITORY / "deploy" / "Dockerfile").read_text()
CONTAINERS: dict[str, Any] = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())["services"]
IMAGES = {name: container["build"]["args"] for name, container in CONTAINERS.items() if "build" in container}
MODULES = {workload.module for workload in TOPOLOGY.values()}


def run_py(module: str, folder: Path) -> Path:
    [text] = re.findall(r"printf '([^']+)' \"\$MODULE\"", RECIPE)
    file = folder / "run.py"
    file.write_text(text.replace("\\n", "\n") % module)
    return file


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


def importable(python: Path) -> list[str]:
    code = (
        f"import importlib.util, json; print(json.dumps([m for m in {sorted(MODULES)} if importlib.util.find_spec(m)]))"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True, cwd=python.parent)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("service", TOPOLOGY)
async def test_service_starts_alone_with_container_settings(service: str, tmp_path: Path) -> None:
    """No other service is importable, and the service is alive but not ready without its servers."""
    workload = TOPOLOGY[service]
    assert IMAGES[service] == {"PACKAGE": workload.package, "MODULE": workload.module}
    python = await asyncio.to_thread(environment_of, workload.package, tmp_path / "venv")
    lay_out(tmp_path / "portico")
    entry, settings = run_py(workload.module, tmp_path), settings_of(service, tmp_path / "portico")
    found = await asyncio.to_thread(importable, python)
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            python, entry, env=settings, cwd=tmp_path, stdout=out, stderr=out
        )

    async def status(path: str) -> int:
        if process.returncode is not None:
            raise SystemError(log.read_text())
        return (await http_probe.get(int(settings["PORTICO_INTERNAL_PORT"]), path)).status

    try:
        alive = await eventually(lambda: status("/healthz"), lambda code: code == 200)
        ready = await status("/readyz")
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), HANGS)

    assert found == [workload.module]
    assert (alive, ready) == (200, 503)
    assert process.returncode == 0, log.read_text()[-2000:]


def test_operator_images_run_their_commands() -> None:
    """The entry point is the module, and the command has its arguments only."""
    assert IMAGES["lay-out"]["MODULE"] == "portico_stack.in_compose"
    assert [CONTAINERS[name]["command"] for name in ("lay-out", "prepare")] == [["lay-out"], ["prepare"]]
    assert IMAGES["mail-catcher"]["MODULE"] == "portico_stack.mail_catcher"
    assert "python" not in json.dumps(CONTAINERS["mail-catcher"]["command"])


def test_images_need_no_shell_and_no_root() -> None:
    """Images have one fixed entry point, compiled bytecode, no pip, and hash-checked downloads."""
    final = RECIPE.rpartition("\nFROM ")[2]

    assert 'ENTRYPOINT ["/opt/portico/bin/python", "/opt/portico/run.py"]' in final
    assert "CMD" not in final
    assert "USER 10001:10001" in final
    assert "compileall" in RECIPE
    assert "--without-pip" in RECIPE
    assert "--require-hashes" in RECIPE


def test_base_image_can_be_pinned_by_digest() -> None:
    """One argument sets both stages, because bytecode depends on the Python version."""
    baked = json.loads((REPOSITORY / "deploy" / "docker-bake.json").read_text())
    stages = [line.split()[1] for line in RECIPE.splitlines() if line.startswith("FROM ")]

    assert stages == ["${BASE}", "${BASE}"]
    assert f"\nARG BASE={baked['variable']['BASE']['default']}\nFROM " in RECIPE


def test_release_builds_images_for_both_architectures() -> None:
    """One command builds every image for both architectures with the composition's arguments."""
    baked = json.loads((REPOSITORY / "deploy" / "docker-bake.json").read_text())

    assert set(baked["group"]["default"]["targets"]) == set(TOPOLOGY)
    for name, target in baked["target"].items():
        assert {**IMAGES[name], "SOURCE_DATE_EPOCH": "0", "BASE": "${BASE}"} == target["args"]
        assert target["dockerfile"] == "deploy/Dockerfile"
        assert target["platforms"] == ["linux/amd64", "linux/arm64"]
        assert target["tags"] == [f"${{REPOSITORY}}/{name}:${{VERSION}}"]
        assert target["attest"] == ["type=provenance,mode=max", "type=sbom"]
