from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from portico_stack.demo import REPOSITORY


def environment_of(package: str, folder: Path) -> Path:
    """Creates an environment of locked dependencies, returns its interpreter; `package`: ``services/token``."""
    uv = Path(sys.executable).with_name("uv")
    python = folder / "bin" / "python"
    # uv caches builds by pyproject.toml only, even if the code of the package changed.
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
