"""``deploy/docker-bake.json``: both images for both architectures, for ``docker buildx bake``."""

from __future__ import annotations

import json
from typing import Any, Final

from portico_stack.kubernetes.names import SERVICES_IMAGE, VERSION

BASE: Final = "python:3.13-slim-trixie"
"""Default base image, as in `deploy/Dockerfile`."""

IMAGES: Final = (SERVICES_IMAGE, "portico")
"""The second one is everything in one container."""

PLATFORMS: Final = ("linux/amd64", "linux/arm64")


def bake_file() -> str:
    """``REPOSITORY``, ``VERSION`` and ``BASE`` are environment variables."""
    document = {
        "variable": {"REPOSITORY": {"default": "portico"}, "VERSION": {"default": VERSION}, "BASE": {"default": BASE}},
        "group": {"default": {"targets": list(IMAGES)}},
        "target": {name: _target(name) for name in IMAGES},
    }
    return json.dumps(document, indent=2) + "\n"


def _target(name: str) -> dict[str, Any]:
    """The target of the same name in the recipe."""
    return {
        "context": ".",
        "dockerfile": "deploy/Dockerfile",
        "target": name,
        "args": {"SOURCE_DATE_EPOCH": "0", "BASE": "${BASE}"},
        "platforms": list(PLATFORMS),
        "tags": [f"${{REPOSITORY}}/{name}:${{VERSION}}"],
        "labels": {
            "org.opencontainers.image.title": f"portico-{name}",
            "org.opencontainers.image.version": "${VERSION}",
        },
        # Provenance and software bill of materials of each image.
        "attest": ["type=provenance,mode=max", "type=sbom"],
    }
