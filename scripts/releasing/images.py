"""The images of a release, for both architectures, from `deploy/docker-bake.json`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

FILE: Final = "deploy/docker-bake.json"


def can_build() -> bool:
    """Reports whether a Docker Engine with buildx is available."""
    if (docker := shutil.which("docker")) is None:
        return False
    return subprocess.run([docker, "buildx", "ls"], capture_output=True, check=False).returncode == 0


def build(root: Path, version: str, repository: str, *, push: bool) -> None:
    """Builds all images; with `push`, pushes them with their provenance.

    Raises:
        subprocess.CalledProcessError: a build failed.
    """
    output = "type=registry" if push else "type=cacheonly"
    subprocess.run(
        ["docker", "buildx", "bake", "--file", FILE, "--set", f"*.output={output}"],
        cwd=root,
        env={**os.environ, "VERSION": version, "REPOSITORY": repository},
        check=True,
    )
