"""``deploy/docker-bake.json``: all images for both architectures, for ``docker buildx bake``."""

from __future__ import annotations

import json
from typing import Any, Final

from portico_contracts.topology import TOPOLOGY

from portico_stack.kubernetes.names import VERSION

BASE: Final = "python:3.13-slim-trixie"
"""Default base image, as in `deploy/Dockerfile`."""

PLATFORMS: Final = ("linux/amd64", "linux/arm64")


def bake_file() -> str:
    """One target per service; ``REPOSITORY``, ``VERSION`` and ``BASE`` are environment variables."""
    targets = {name: _target(name, one.package, one.module) for name, one in TOPOLOGY.items()}
    document = {
        "variable": {"REPOSITORY": {"default": "portico"}, "VERSION": {"default": VERSION}, "BASE": {"default": BASE}},
        "group": {"default": {"targets": sorted(targets)}},
        "target": targets,
    }
    return json.dumps(document, indent=2) + "\n"


def _target(name: str, package: str, module: str) -> dict[str, Any]:
    return {
        "context": ".",
        "dockerfile": "deploy/Dockerfile",
        "args": {"PACKAGE": package, "MODULE": module, "SOURCE_DATE_EPOCH": "0", "BASE": "${BASE}"},
        "platforms": list(PLATFORMS),
        "tags": [f"${{REPOSITORY}}/{name}:${{VERSION}}"],
        "labels": {
            "org.opencontainers.image.title": f"portico-{name}",
            "org.opencontainers.image.version": "${VERSION}",
        },
        # Provenance and software bill of materials of each image.
        "attest": ["type=provenance,mode=max", "type=sbom"],
    }
