"""A bill of materials for each image (CycloneDX): what is in its environment, made as the recipe of the images makes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from portico_contracts.topology import TOPOLOGY
from portico_stack.image_environment import environment_of

TOOL: Final = "cyclonedx-bom==7.5.0"


def write_bills(folder: Path, environments: Path) -> list[Path]:
    """One file for each service.

    Args:
        environments: an empty folder for the environments.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_bill(environment_of(one.package, environments / name), folder / f"{name}.cdx.json")
        for name, one in TOPOLOGY.items()
    ]


def write_bill(python: Path, file: Path) -> Path:
    """What an environment has, by its interpreter; the same environment makes the same file."""
    uv = Path(sys.executable).with_name("uv")
    command = (
        *(uv, "tool", "run", "--quiet", "--from", TOOL),
        *("cyclonedx-py", "environment", "--output-reproducible", "--output-file", file, python),
    )
    subprocess.run(command, check=True, capture_output=True)
    return file
