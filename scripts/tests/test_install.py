"""The Python of an installation is one of those that pyproject.toml names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def install(folder: Path, version: tuple[int, int]) -> subprocess.CompletedProcess[str]:
    """Runs the script with a Python that claims to be this version."""
    python = folder / "python"
    code = f"import sys; sys.version_info = ({version[0]}, {version[1]}, 0); exec(sys.argv[1])"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$2\"\n")
    python.chmod(0o700)
    command = ["scripts/install.sh", str(python), str(folder / "venv")]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("version", [(3, 10), (3, 15)])
def test_other_pythons_are_refused(tmp_path: Path, version: tuple[int, int]) -> None:
    """The message has the supported versions, the one that was found, and what to run."""
    refused = install(tmp_path, version)

    assert refused.returncode == 1
    assert "Portico runs on Python 3.11 to 3.14, and " in refused.stderr
    assert f"is Python {version[0]}.{version[1]}. Name another one: make install PYTHON=python3.13" in refused.stderr
    assert not (tmp_path / "venv").exists()


def test_all_members_name_the_same_pythons() -> None:
    files = [ROOT / "pyproject.toml", *ROOT.glob("[a-z]*/*/pyproject.toml"), *ROOT.glob("tests-e2e/*/pyproject.toml")]
    named = {str(file): re.findall(r'^requires-python = "(.*)"$', file.read_text(), re.MULTILINE) for file in files}

    assert len(named) > 15
    assert {tuple(versions) for versions in named.values()} == {(">=3.11,<3.15",)}
