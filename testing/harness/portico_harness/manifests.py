"""What kustomize and Helm make of `deploy`; both are built from their modules where they are not installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import yaml
from portico_stack.demo import REPOSITORY

KUSTOMIZE: Final = "sigs.k8s.io/kustomize/kustomize/v5@v5.6.0"
HELM: Final = "helm.sh/helm/v3/cmd/helm@v3.22.0"
NAMESPACE: Final = "portico"

Manifest = dict[str, Any]


def documents(text: str) -> list[Manifest]:
    """The objects of a file."""
    return [one for one in yaml.safe_load_all(text) if one]


def kustomized(overlay: str) -> list[Manifest]:
    """The objects kustomize makes of an overlay."""
    kubectl = shutil.which("kubectl")
    command = [kubectl, "kustomize"] if kubectl else [program("kustomize", KUSTOMIZE), "build"]
    folder = REPOSITORY / "deploy" / "kubernetes" / "overlays" / overlay
    done = subprocess.run([*command, folder], capture_output=True, text=True, check=True)
    return documents(done.stdout)


def helm(*arguments: str | Path, succeeds: bool = True) -> str:
    """What Helm prints for the chart, as for the oldest Kubernetes that is supported.

    Raises:
        AssertionError: it does not end as wanted.
    """
    # One that was built without its own scripts takes every cluster for an old one.
    command = [program("helm", HELM), *arguments, "--kube-version", "1.30.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is succeeds, done.stdout + done.stderr
    return done.stdout if succeeds else done.stderr


def program(name: str, module: str) -> str:
    """Where it is; the first time it takes minutes.

    Args:
        module: of Go, with its version.
    """
    if found := shutil.which(name):
        return found
    folder = REPOSITORY / ".portico" / "programs"
    if not (folder / name).exists():
        subprocess.run(["go", "install", module], env={**os.environ, "GOBIN": str(folder)}, check=True)
    return str(folder / name)


def go_module(module: str) -> Path:
    """The folder of a module of Go, downloaded the first time."""
    done = subprocess.run(["go", "mod", "download", "-json", module], capture_output=True, text=True, check=True)
    return Path(json.loads(done.stdout)["Dir"])
