"""What kustomize and Helm make of `deploy`, as objects."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import yaml
from portico_stack.demo import REPOSITORY
from portico_stack.kubernetes import programs

NAMESPACE: Final = "portico"
_OLDEST: Final = ("--kube-version", "1.30.0")
"""A Helm that was built without its own scripts takes every cluster for an old one."""

GATEWAY_API: Final = "sigs.k8s.io/gateway-api@v1.3.0"
"""The module with the definitions of the Gateway API."""

CHART: Final = REPOSITORY / "deploy" / "helm" / "portico"

Manifest = dict[str, Any]
Key = tuple[str, str]


def documents(text: str) -> list[Manifest]:
    """The objects of a file."""
    return [one for one in yaml.load_all(text, Loader=yaml.CSafeLoader) if one]


def kustomized(overlay: str | Path) -> list[Manifest]:
    """The objects kustomize makes of an overlay, or of a folder of one's own."""
    return documents(programs.kustomized_text(overlay))


def helm(*arguments: str | Path) -> str:
    """What Helm prints for the chart, as for the oldest Kubernetes that is supported."""
    return programs.helm(*arguments, *_OLDEST)


def rendered(folder: Path, *values: dict[str, Any], namespace: str = NAMESPACE) -> dict[Key, Manifest]:
    """What the chart installs with these values, each over those before.

    Args:
        folder: for the files with the values.
    """
    files: list[str | Path] = []
    for number, one in enumerate(values):
        file = folder / f"{number}.yaml"
        file.write_text(yaml.safe_dump(one))
        files += ["--values", file]
    return by_name(documents(helm("template", "anything", CHART, "--namespace", namespace, *files)))


def by_name(objects: list[Manifest]) -> dict[Key, Manifest]:
    """The objects by kind and name; no two have the same."""
    named = {(one["kind"], one["metadata"]["name"]): one for one in objects}
    assert len(named) == len(objects)
    return named


def gateway_api_definitions() -> Path:
    """The folder with a file for each kind of the Gateway API, as its project publishes them."""
    return go_module(GATEWAY_API) / "config" / "crd" / "standard"


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
