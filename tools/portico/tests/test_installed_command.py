"""The package with the command is installable by itself, as pipx and uv install it from a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
UV = Path(sys.executable).with_name("uv")
MEMBERS = ("libs/oauth", "libs/contracts", "libs/snippets", "libs/runtime", "tools/stack", "tools/portico")
"""The package and its dependencies in this repository, as listed in `tools/portico/README.md`."""


@pytest.mark.slow
def test_installed_command_runs_outside_the_checkout(tmp_path: Path) -> None:
    """Installed packages contain the program, its modules and the code of every framework."""
    target = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", target], check=True)
    members = [str(ROOT / name) for name in MEMBERS]
    subprocess.run(
        [UV, "pip", "install", "-q", "--offline", "--no-deps", "--python", target / "bin" / "python", *members],
        check=True,
    )
    # Third-party packages come from the test environment, so nothing is downloaded.
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    program = target / "bin" / "portico"
    results = [
        subprocess.run([program, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        for arguments in (("--version",), ("app", "add", "--help"), ("token", "--help"))
    ]
    list_code = (
        "import portico_snippets as s; print(s.__file__, [s.find_framework(n).name for n in s.FRAMEWORKS],"
        " [s.find_api_framework(n).title for n in s.API_FRAMEWORKS])"
    )
    listed = subprocess.run(
        [target / "bin" / "python", "-c", list_code],
        cwd=tmp_path, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip

    assert results[0].stdout.startswith("portico ")
    assert "openid-client" in results[1].stdout
    assert listed.startswith(str(target))
    assert "spring" in listed
    assert "jose" in listed
