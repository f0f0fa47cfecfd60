from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "haproxy.sh"
OLD = "HA-Proxy version 2.2.9-2+deb11u6 2023/12/02 - https://haproxy.org/"


def _program(folder: Path, name: str, does: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o700)
    return path


def _run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {name: value for name, value in os.environ.items() if name != "PORTICO_STACK_HAPROXY"}
    paths = {"PATH": f"{folder}:{os.environ['PATH']}"}
    return subprocess.run((SCRIPT,), env={**given, **paths, **environment}, capture_output=True, text=True, check=False)


def test_without_root_haproxy_is_reported_as_missing(tmp_path: Path) -> None:
    """Without root, Caddy is used as the gateway, and the script prints how to install HAProxy."""
    _program(tmp_path, "haproxy", f"echo '{OLD}'")
    _program(tmp_path, "id", "echo 1000")
    installer = tmp_path / "asked"
    _program(tmp_path, "apt-get", f"touch {installer}")
    done = _run(tmp_path)

    assert done.returncode == 0
    assert "HAProxy 2.6 or newer was not installed (only root may; found: 2.2.9)" in done.stderr
    assert "The gateway is Caddy" in done.stderr
    assert "PORTICO_STACK_HAPROXY=/path/to/haproxy" in done.stderr
    assert not installer.exists()


@pytest.mark.parametrize("version", ["2.6.0", "2.6.12-1+deb12u4", "3.0.11", "10.1.0"])
def test_suitable_haproxy_is_left_alone(tmp_path: Path, version: str) -> None:
    _program(tmp_path, "id", "echo 0")
    installer = tmp_path / "asked"
    _program(tmp_path, "apt-get", f"touch {installer}")
    fits = f"echo 'HAProxy version {version} 2026/10/17 - https://haproxy.org/'"
    named = _run(tmp_path, PORTICO_STACK_HAPROXY=str(_program(tmp_path, "another", fits)))
    _program(tmp_path, "haproxy", fits)
    on_path = _run(tmp_path)

    assert [(one.returncode, one.stdout, one.stderr) for one in (named, on_path)] == [(0, "", "")] * 2
    assert not installer.exists()
