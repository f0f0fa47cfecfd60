"""What the clients of other people are built from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def go_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of `go/`, built once; its modules are those of go.sum."""
    built = tmp_path_factory.mktemp("go") / "clients"
    subprocess.run(("go", "build", "-mod=readonly", "-o", built, "."), cwd=FOLDER / "go", check=True)
    return built
