"""What kustomize and Helm make of `deploy`, as objects."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import yaml
from portico_stack.kubernetes import programs

NAMESPACE: Final = "portico"
_OLDEST: Final = ("--kube-version", "1.30.0")
"""A Helm that was built without its own scripts takes every cluster for an old one."""

Manifest = dict[str, Any]


def documents(text: str) -> list[Manifest]:
    """The objects of a file."""
    return [one for one in yaml.safe_load_all(text) if one]


def kustomized(overlay: str) -> list[Manifest]:
    """The objects kustomize makes of an overlay."""
    return documents(programs.kustomized_text(overlay))


def helm(*arguments: str | Path) -> str:
    """What Helm prints for the chart, as for the oldest Kubernetes that is supported."""
    return programs.helm(*arguments, *_OLDEST)


def refused_by_helm(*arguments: str | Path) -> str:
    """Why it refuses.

    Raises:
        AssertionError: it does not.
    """
    try:
        programs.helm(*arguments, *_OLDEST)
    except subprocess.CalledProcessError as error:
        return str(error.stderr)
    raise AssertionError("it was not refused")


def go_module(module: str) -> Path:
    """The folder of a module of Go, downloaded the first time."""
    done = subprocess.run(["go", "mod", "download", "-json", module], capture_output=True, text=True, check=True)
    return Path(json.loads(done.stdout)["Dir"])
