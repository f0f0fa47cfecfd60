"""Builds kustomize, Helm and promtool if not installed; kube-apiserver, etcd and Traefik always."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from portico_stack.installation.demo import REPOSITORY

KUSTOMIZE: Final = "sigs.k8s.io/kustomize/kustomize/v5@v5.6.0"
PROMTOOL: Final = "github.com/prometheus/prometheus/cmd/promtool@v0.316.0"
HELM: Final = "helm.sh/helm/v3/cmd/helm@v3.22.0"
API_SERVER: Final = "k8s.io/kubernetes/cmd/kube-apiserver"
ETCD: Final = "go.etcd.io/etcd/server/v3"
API_SERVER_MODULE: Final = REPOSITORY / "testing" / "harness" / "api-server"
"""Pins their versions. Kubernetes replaces its own modules by folders, which ``go install`` rejects."""
TRAEFIK: Final = "github.com/traefik/traefik/v3"
TRAEFIK_MODULE: Final = REPOSITORY / "testing" / "harness" / "traefik"

_PROGRAMS: Final = REPOSITORY / ".portico" / "programs"


def kustomized_text(overlay: str | Path) -> str:
    kubectl = shutil.which("kubectl")
    command = [kubectl, "kustomize"] if kubectl else [_program("kustomize", KUSTOMIZE), "build"]
    folder = REPOSITORY / "deploy" / "kubernetes" / "overlays" / overlay
    return subprocess.run([*command, folder], capture_output=True, text=True, check=True).stdout


def helm(*arguments: str | Path) -> str:
    """Raises subprocess.CalledProcessError: Helm failed; ``stderr`` has the reason."""
    command = [_program("helm", HELM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def promtool(*arguments: str | Path) -> str:
    """Raises subprocess.CalledProcessError: a rule fails its test; ``stdout`` has the details."""
    command = [_program("promtool", PROMTOOL), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _program(name: str, module: str) -> str:
    """Building it the first time takes minutes; `module` is a Go module with its version."""
    if found := shutil.which(name):
        return found
    if not (_PROGRAMS / name).exists():
        subprocess.run(["go", "install", module], env={**os.environ, "GOBIN": str(_PROGRAMS)}, check=True)
    return str(_PROGRAMS / name)


def api_server_programs() -> tuple[str, str]:
    """Paths of kube-apiserver and etcd; the first build takes minutes and continues after an interruption."""
    built = {"kube-apiserver": API_SERVER, "etcd": ETCD}
    version = _version(API_SERVER_MODULE, "k8s.io/kubernetes")
    # A program without a version would report a development build.
    flags = f"-s -w -X k8s.io/component-base/version.gitVersion={version}"
    one, other = (_built(API_SERVER_MODULE, name, package, flags) for name, package in built.items())
    return one, other


def traefik_program() -> tuple[str, str]:
    """Path and version; building it the first time takes minutes."""
    version = _version(TRAEFIK_MODULE, TRAEFIK)
    flags = f"-s -w -X {TRAEFIK}/pkg/version.Version={version}"
    return _built(TRAEFIK_MODULE, "traefik", f"{TRAEFIK}/cmd/traefik", flags), version


def _version(folder: Path, module: str) -> str:
    return str(json.loads(_go(folder, "list", "-m", "-json", module))["Version"])


def _built(folder: Path, name: str, package: str, flags: str) -> str:
    """Builds a package with the requirements of the Go module in the folder; `flags` are linker flags."""
    program = str(_PROGRAMS / name)
    _go(folder, "build", "-ldflags", flags, "-o", program, package)
    return program


def _go(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "CGO_ENABLED": "0"}
    command = ["go", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
