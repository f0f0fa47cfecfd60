"""The bill of materials (CycloneDX) of the image, from an environment installed as in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from portico_harness.image_environment import environment_of, packages_of_image
from portico_stack.kubernetes.names import SERVICES_IMAGE

TOOL: Final = "cyclonedx-bom==7.5.0"


def write_bills(folder: Path, environments: Path) -> list[Path]:
    """`environments` is an empty folder for virtual environments."""
    folder.mkdir(parents=True, exist_ok=True)
    python = environment_of(packages_of_image(), environments / SERVICES_IMAGE)
    return [write_bill(python, folder / f"{SERVICES_IMAGE}.cdx.json")]


def write_bill(python: Path, file: Path) -> Path:
    """The result is reproducible: the same environment gives the same file."""
    uv = Path(sys.executable).with_name("uv")
    command = (
        *(uv, "tool", "run", "--quiet", "--from", TOOL),
        *("cyclonedx-py", "environment", "--output-reproducible", "--output-file", file, python),
    )
    subprocess.run(command, check=True, capture_output=True)
    return file
