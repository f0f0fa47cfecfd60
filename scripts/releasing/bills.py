"""A bill of materials (CycloneDX) for each image, from an environment installed as in the image."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from portico_contracts.topology import TOPOLOGY
from portico_stack.image_environment import environment_of

TOOL: Final = "cyclonedx-bom==7.5.0"


def write_bills(folder: Path, environments: Path) -> list[Path]:
    """Writes one file for each service.

    Args:
        environments: an empty folder for virtual environments.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_bill(environment_of(one.package, environments / name), folder / f"{name}.cdx.json")
        for name, one in TOPOLOGY.items()
    ]


def write_bill(python: Path, file: Path) -> Path:
    """The result is reproducible: the same environment gives the same file."""
    uv = Path(sys.executable).with_name("uv")
    command = (
        *(uv, "tool", "run", "--quiet", "--from", TOOL),
        *("cyclonedx-py", "environment", "--output-reproducible", "--output-file", file, python),
    )
    subprocess.run(command, check=True, capture_output=True)
    return file
