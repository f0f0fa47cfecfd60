from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import yaml
from portico_stack.installation.demo import REPOSITORY

from portico_harness import built_programs

NAMESPACE: Final = "portico"
_OLDEST: Final = ("--kube-version", "1.30.0")
"""Helm built without its build flags assumes an old cluster."""

GATEWAY_API: Final = "sigs.k8s.io/gateway-api@v1.3.0"

CHART: Final = REPOSITORY / "deploy" / "helm" / "portico"

Manifest = dict[str, Any]
Key = tuple[str, str]


def documents(text: str) -> list[Manifest]:
    return [one for one in yaml.load_all(text, Loader=yaml.CSafeLoader) if one]


def kustomized(overlay: str | Path) -> list[Manifest]:
    return documents(built_programs.kustomized_text(overlay))


def helm(*arguments: str | Path) -> str:
    """Returns Helm's output for the chart on the oldest supported Kubernetes."""
    return built_programs.helm(*arguments, *_OLDEST)


def rendered(folder: Path, *values: dict[str, Any], namespace: str = NAMESPACE) -> dict[Key, Manifest]:
    """Returns the objects of the chart with these values, later ones overriding earlier ones.

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
    named = {(one["kind"], one["metadata"]["name"]): one for one in objects}
    assert len(named) == len(objects)
    return named


def gateway_api_definitions() -> Path:
    return go_module(GATEWAY_API) / "config" / "crd" / "standard"


def refused_by_helm(*arguments: str | Path) -> str:
    """Returns Helm's error message.

    Raises:
        AssertionError: Helm accepts the values.
    """
    try:
        built_programs.helm(*arguments, *_OLDEST)
    except subprocess.CalledProcessError as error:
        return str(error.stderr)
    raise AssertionError("it was not refused")


def go_module(module: str) -> Path:
    """Returns the folder of a Go module, downloaded on first use."""
    done = subprocess.run(["go", "mod", "download", "-json", module], capture_output=True, text=True, check=True)
    return Path(json.loads(done.stdout)["Dir"])
