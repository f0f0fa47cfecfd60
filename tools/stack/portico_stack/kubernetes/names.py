from __future__ import annotations

from typing import Any, Final

from portico_stack.kubernetes.writers import NAMESPACED, Choice

NAMESPACE: Final = "portico"
SETTINGS: Final = "portico-settings"
"""The ConfigMap with the settings of all services."""

GATEWAY: Final = "gateway"
RUN_AS: Final = 10001
VERSION: Final = "0.4.0"
SERVICES_IMAGE: Final = "services"
"""The image of all services, below the repository."""

HOST: Final = "id.example.com"

CHOSEN_HOST: Final = Choice(HOST, 'include "portico.host" . | quote')
IN_NAMESPACE: Final = Choice(NAMESPACE, ".Release.Namespace")
"""Where kustomize adds no namespace."""

Manifest = dict[str, Any]


def name_of(component: str) -> str:
    return f"portico-{component}"


def pods_of(component: str) -> str:
    return f"{name_of(component)}-pods"


def values_of(component: str) -> str:
    """Where a template finds the values of a component."""
    if component == GATEWAY:
        return ".Values.gateway"
    # Template syntax does not allow a name with a hyphen.
    return f'(index .Values.services "{component}")' if "-" in component else f".Values.services.{component}"


def labels_of(component: str) -> dict[str, str]:
    return {"app.kubernetes.io/part-of": "portico", "app.kubernetes.io/component": component}


def metadata(name: str, component: str) -> Manifest:
    return {"name": name, "labels": labels_of(component), "namespace": NAMESPACED}
