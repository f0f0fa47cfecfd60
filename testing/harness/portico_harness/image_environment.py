"""The environment that `deploy/Dockerfile` installs, built without Docker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from portico_stack.installation.demo import REPOSITORY


def packages_of_image() -> list[str]:
    """What the image of all services installs; as in `deploy/Dockerfile`."""
    services = sorted(
        f"./{path.parent.relative_to(REPOSITORY)}" for path in REPOSITORY.glob("services/*/pyproject.toml")
    )
    return [*services, "./tools/portico", "./tools/stack[mail-catcher]"]


def environment_of(packages: list[str], folder: Path) -> Path:
    """Creates an environment of locked dependencies, returns its interpreter; `packages` are paths in the repository."""
    uv = Path(sys.executable).with_name("uv")
    python = folder / "bin" / "python"
    # uv caches builds by pyproject.toml only, even if the code of the package changed.
    own = [f"--refresh-package=portico-{path.parent.name}" for path in REPOSITORY.glob("*/*/pyproject.toml")]
    commands: tuple[tuple[str | Path, ...], ...] = (
        (uv, "venv", "--quiet", "--python", sys.executable, folder),
        (
            *(uv, "pip", "install", "--quiet", "--no-editable", "--python", python),
            *("--constraints", "requirements.lock", *own, *packages),
        ),
    )
    for command in commands:
        subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    return python
