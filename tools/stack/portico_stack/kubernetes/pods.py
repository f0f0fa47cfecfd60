"""Common properties of all pods: not root, a read-only file system, no API server account."""

from __future__ import annotations

from collections.abc import Sequence

from portico_contracts.gateway import HOST_VARIABLE
from portico_contracts.topology import DRAIN_SECONDS, HEALTHZ, READYZ, UNANNOUNCED_SECONDS

from portico_stack.kubernetes.names import RUN_AS, Manifest, labels_of, metadata, name_of
from portico_stack.kubernetes.writers import ABSENT, Choice, EachItem

GRACE_SECONDS = UNANNOUNCED_SECONDS + DRAIN_SECONDS + 10
"""Termination grace period."""

_HARDENED: Manifest = {
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}
"""Together with `pod_spec`: the profile "restricted" of the Pod Security Standards."""

LISTENS_ON: Manifest = {
    "name": HOST_VARIABLE,
    "value": Choice("0.0.0.0", '.Values.ipv6 | ternary "::" "0.0.0.0" | quote'),  # noqa: S104 - of a pod
}
"""IPv6 must be available in the pod, so it is not the default."""

# Pods read their settings at the start: changed settings must create new pods.
_ANNOTATIONS = Choice(
    ABSENT,
    'merge (dict "portico/settings" (sha256sum (print (include "portico.haproxy" .) (include "portico.settings" .))))'
    " .Values.podAnnotations | toJson",
)


def deployment(
    component: str, replicas: Choice, container: Manifest, volumes: Sequence[Manifest | EachItem]
) -> Manifest:
    """A Deployment whose replicas are replaced one by one, and spread over nodes."""
    spec: Manifest = {
        "selector": {"matchLabels": labels_of(component)},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}},
        "template": {
            "metadata": {"labels": labels_of(component), "annotations": _ANNOTATIONS},
            "spec": _pod_spec(component, container, volumes),
        },
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(name_of(component), component),
        # What only the chart has comes last there.
        "spec": {**spec, "replicas": replicas} if replicas.value is ABSENT else {"replicas": replicas, **spec},
    }


def _pod_spec(component: str, container: Manifest, volumes: Sequence[Manifest | EachItem]) -> Manifest:
    return {
        # Services called portico-… would be read as settings.
        "enableServiceLinks": False,
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": GRACE_SECONDS,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": RUN_AS,
            "runAsGroup": RUN_AS,
            "fsGroup": RUN_AS,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": Choice("kubernetes.io/hostname", ".Values.spreadOver | quote"),
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": {"matchLabels": labels_of(component)},
            }
        ],
        "containers": [{**container, "securityContext": _HARDENED}],
        "volumes": [*volumes],
        "imagePullSecrets": Choice(ABSENT, ".Values.image.pullSecrets | toJson", ".Values.image.pullSecrets"),
    }


def probes(port: int) -> Manifest:
    ready = {"httpGet": {"path": READYZ, "port": port}}
    return {
        "startupProbe": {**ready, "periodSeconds": 2, "timeoutSeconds": 3, "failureThreshold": 60},
        "readinessProbe": {**ready, "periodSeconds": 5, "timeoutSeconds": 4, "failureThreshold": 2},
        "livenessProbe": {
            "httpGet": {"path": HEALTHZ, "port": port},
            "periodSeconds": 10,
            "timeoutSeconds": 5,
            "failureThreshold": 6,
        },
        # Kubernetes sleeps by itself: images need no shell for it.
        "lifecycle": {"preStop": {"sleep": {"seconds": UNANNOUNCED_SECONDS}}},
    }


def resources(cpu: int, memory: int) -> Manifest:
    """No CPU limit, and memory limits equal to requests: a pod that needs more is killed instead of its neighbours."""
    return {"requests": {"cpu": f"{cpu}m", "memory": f"{memory}Mi"}, "limits": {"memory": f"{memory}Mi"}}


def service(component: str, ports: dict[str, int], *, headless: bool, name: str, to: int | None = None) -> Manifest:
    """`headless`: its name resolves to every ready replica; `to` is the port of the pods for all ports."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata(name, component),
        "spec": {
            **({"clusterIP": "None"} if headless else {}),
            "selector": labels_of(component),
            "ports": [_port(port, number, to or number) for port, number in ports.items()],
        },
    }


def _port(name: str, number: int, target: int) -> Manifest:
    # Plain gRPC is HTTP/2 without TLS; load balancers have to know that.
    protocol = {"appProtocol": "kubernetes.io/h2c"} if name == "grpc" else {}
    return {"name": name, "port": number, "targetPort": target, **protocol}


def disruption_budget(component: str) -> Manifest:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata(name_of(component), component),
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": labels_of(component)}},
    }
