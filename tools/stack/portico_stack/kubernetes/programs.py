"""kustomize, Helm and promtool, built from their modules where they are not installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from portico_stack.demo import REPOSITORY

KUSTOMIZE: Final = "sigs.k8s.io/kustomize/kustomize/v5@v5.6.0"
PROMTOOL: Final = "github.com/prometheus/prometheus/cmd/promtool@v0.316.0"
HELM: Final = "helm.sh/helm/v3/cmd/helm@v3.22.0"


def kustomized_text(overlay: str | Path) -> str:
    """What kustomize makes of an overlay.

    Args:
        overlay: its name, or the folder of one's own.

    Raises:
        subprocess.CalledProcessError: it refuses.
    """
    kubectl = shutil.which("kubectl")
    command = [kubectl, "kustomize"] if kubectl else [_program("kustomize", KUSTOMIZE), "build"]
    folder = REPOSITORY / "deploy" / "kubernetes" / "overlays" / overlay
    return subprocess.run([*command, folder], capture_output=True, text=True, check=True).stdout


def helm(*arguments: str | Path) -> str:
    """What Helm prints.

    Raises:
        subprocess.CalledProcessError: it refuses; ``stderr`` has why.
    """
    command = [_program("helm", HELM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def promtool(*arguments: str | Path) -> str:
    """What promtool prints.

    Raises:
        subprocess.CalledProcessError: a rule does not what its test states; ``stdout`` has which.
    """
    command = [_program("promtool", PROMTOOL), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _program(name: str, module: str) -> str:
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
