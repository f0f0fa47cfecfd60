"""Overlays of the base; their settings are files to copy and change, everything else is generated."""

from __future__ import annotations

from typing import Final

from portico_contracts.topology import TOPOLOGY

from portico_stack.kubernetes import client_certificates
from portico_stack.kubernetes.gateway_api import route
from portico_stack.kubernetes.names import CHOSEN_HOST, GATEWAY, IN_NAMESPACE, SETTINGS, Manifest, metadata, name_of
from portico_stack.kubernetes.writers import ABSENT, HEAD, Choice, written

OVERLAYS: Final = ("small", "production", "gateway-api", "client-certificates")

_COMPONENTS: Final = (*TOPOLOGY, GATEWAY)


def overlay_files() -> dict[str, str]:
    return {
        "small/kustomization.yaml": HEAD + written([_small()]),
        "production/kustomization.yaml": HEAD + written([_production()]),
        "production/ingress.yaml": HEAD + written([ingress()]),
        "gateway-api/kustomization.yaml": HEAD + written([_gateway_api()]),
        "gateway-api/route.yaml": HEAD + written([route()]),
        "client-certificates/kustomization.yaml": HEAD + written([_client_certificates()]),
        "client-certificates/listener.yaml": HEAD
        + written([client_certificates.listener(), client_certificates.policy()]),
    }


def _overlay(**more: object) -> Manifest:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["../../base"],
        "configMapGenerator": [{"name": SETTINGS, "namespace": "portico", "envs": ["settings.env"]}],
        **more,
    }


def _small() -> Manifest:
    scaled = [one for one in TOPOLOGY.values() if one.scaling]
    gone = [_deleted("autoscaling/v2", "HorizontalPodAutoscaler", one.name) for one in scaled]
    return _overlay(
        replicas=[{"name": name_of(one), "count": 1} for one in _COMPONENTS],
        patches=[{"patch": written([one])} for one in gone],
    )


def _production() -> Manifest:
    spread = [
        {
            "op": "replace",
            "path": "/spec/template/spec/topologySpreadConstraints/0/topologyKey",
            "value": "topology.kubernetes.io/zone",
        }
    ]
    return _overlay(
        resources=["../../base", "ingress.yaml"],
        # Only where zones have labels.
        patches=[{"target": {"kind": "Deployment"}, "patch": written([spread])}],
        replicas=[{"name": name_of(GATEWAY), "count": 3}],
    )


def _gateway_api() -> Manifest:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["../production", "route.yaml"],
        "patches": [{"patch": written([_deleted("networking.k8s.io/v1", "Ingress", GATEWAY)])}],
    }


def _client_certificates() -> Manifest:
    merged = {"name": SETTINGS, "namespace": "portico", "behavior": "merge"}
    target = {"kind": "Deployment", "name": name_of(GATEWAY)}
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["../production", "listener.yaml"],
        "configMapGenerator": [{**merged, "literals": [f"PORTICO_MTLS_URL={client_certificates.URL}"]}],
        "patches": [{"target": target, "patch": written([client_certificates.patch()])}],
    }


def _deleted(version: str, kind: str, component: str) -> Manifest:
    named = {"name": name_of(component), "namespace": "portico"}
    return {"$patch": "delete", "apiVersion": version, "kind": kind, "metadata": named}


def ingress() -> Manifest:
    backend = {"service": {"name": name_of(GATEWAY), "port": {"name": "http"}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {
            **metadata(name_of(GATEWAY), GATEWAY),
            "namespace": IN_NAMESPACE,
            "annotations": Choice(ABSENT, ".Values.ingress.annotations | toJson", ".Values.ingress.annotations"),
        },
        "spec": {
            "rules": [
                {"host": CHOSEN_HOST, "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]}}
            ],
            "tls": [
                {
                    "hosts": [CHOSEN_HOST],
                    "secretName": Choice("portico-certificate", ".Values.ingress.tlsSecret | quote"),
                }
            ],
            "ingressClassName": Choice(ABSENT, ".Values.ingress.className | quote", ".Values.ingress.className"),
        },
    }
