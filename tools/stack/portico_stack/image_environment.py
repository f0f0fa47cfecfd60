"""The environment of an image, made natively by the steps of `deploy/Dockerfile`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from portico_stack.demo import REPOSITORY


def environment_of(package: str, folder: Path) -> Path:
    """An empty environment with what a package needs by the lock; its interpreter.

    Args:
        package: its folder below the repository, such as ``services/token``.

    Raises:
        subprocess.CalledProcessError: a step failed.
    """
    uv = Path(sys.executable).with_name("uv")
    python = folder / "bin" / "python"
    # What uv built before is found by pyproject.toml alone, however the code of the package changed since.
    own = [f"--refresh-package=portico-{path.parent.name}" for path in REPOSITORY.glob("*/*/pyproject.toml")]
    commands: tuple[tuple[str | Path, ...], ...] = (
        (uv, "venv", "--quiet", "--python", sys.executable, folder),
        (
            *(uv, "pip", "install", "--quiet", "--no-editable", "--python", python),
            *("--constraints", "requirements.lock", *own, f"./{package}"),
        ),
    )
    for command in commands:
        subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    return python
