"""Prints the command of a Python like that of the images, and exits with 1 where none is installed.

python scripts/image_python.py [--version]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
_BASE: Final = re.compile(r"^ARG BASE=python:(\d+\.\d+)", re.MULTILINE)
_VERSION: Final = "import sys; print('%d.%d' % sys.version_info[:2])"


def image_version(dockerfile: Path = ROOT / "deploy" / "Dockerfile") -> str:
    """Returns the version with which the images begin, such as 3.13."""
    found = _BASE.search(dockerfile.read_text())
    if found is None:
        raise ValueError(f"{dockerfile} has no base image of Python")
    return found[1]


def find_python(version: str) -> str:
    """Returns the command of that Python, of PATH or of pyenv; empty without one."""
    return next((one for one in _candidates(version) if _is_of(one, version)), "")


def missing_image_python() -> str:
    version = image_version()
    return "" if find_python(version) else f"Python {version}, that of the images, is not installed"


def _candidates(version: str) -> Iterator[str]:
    if found := shutil.which(f"python{version}"):
        yield found
    # pyenv puts a command of that name on PATH which refuses to run unless the version is selected.
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from map(str, sorted(versions.glob(f"{version}.*/bin/python{version}"), reverse=True))


def _is_of(command: str, version: str) -> bool:
    asked = subprocess.run([command, "-c", _VERSION], capture_output=True, text=True, check=False)
    return asked.stdout.strip() == version


def main(arguments: list[str]) -> int:
    version = image_version()
    if arguments == ["--version"]:
        print(version)
    elif found := find_python(version):
        print(found)
    else:
        print(f"{missing_image_python()}: install python{version}, or `pyenv install {version}`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
