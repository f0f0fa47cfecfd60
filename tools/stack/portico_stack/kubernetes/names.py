"""Names and labels that the manifests share."""

from __future__ import annotations

from typing import Any, Final

from portico_stack.kubernetes.writers import NAMESPACED, Choice

NAMESPACE: Final = "portico"
SETTINGS: Final = "portico-settings"
"""The ConfigMap with the settings of all services, passed on as they are."""

GATEWAY: Final = "gateway"
RUN_AS: Final = 10001
VERSION: Final = "0.3.0"
HOST: Final = "id.example.com"
"""Of the issuer, in the examples."""

CHOSEN_HOST: Final = Choice(HOST, 'include "portico.host" . | quote')
IN_NAMESPACE: Final = Choice(NAMESPACE, ".Release.Namespace")
"""Where kustomize adds no namespace."""

Manifest = dict[str, Any]
"""One object."""


def name_of(component: str) -> str:
    """What the objects of a component are called."""
    return f"portico-{component}"


def pods_of(component: str) -> str:
    """The Service that names every replica of a component for itself."""
    return f"{name_of(component)}-pods"


def values_of(component: str) -> str:
    """Where a template finds the values of a component."""
    if component == GATEWAY:
        return ".Values.gateway"
    # A name with a hyphen is no name in the language of templates.
    return f'(index .Values.services "{component}")' if "-" in component else f".Values.services.{component}"


def labels_of(component: str) -> dict[str, str]:
    """What the pods of a component are found by."""
    return {"app.kubernetes.io/part-of": "portico", "app.kubernetes.io/component": component}


def metadata(name: str, component: str) -> Manifest:
    """Of an object of a component."""
    return {"name": name, "labels": labels_of(component), "namespace": NAMESPACED}
