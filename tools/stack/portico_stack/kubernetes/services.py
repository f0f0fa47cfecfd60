from __future__ import annotations

from typing import Final

from portico_contracts.topology import GRPC_PORT, HTTP_PORT, INTERNAL_PORT, Scaling, Workload

from portico_stack.kubernetes.names import (
    SERVICES_IMAGE,
    SETTINGS,
    VERSION,
    Manifest,
    metadata,
    name_of,
    pods_of,
    values_of,
)
from portico_stack.kubernetes.pods import LISTENS_ON, deployment, disruption_budget, probes, resources, service
from portico_stack.kubernetes.writers import ABSENT, Choice, EachPair

SECRETS_PATH: Final = "/portico/secrets"
SECRETS_MODE: Final = 0o440
REPLICAS: Final = 2


def objects_of(workload: Workload) -> list[Manifest]:
    name, ports = workload.name, _ports(workload)
    made = [
        deployment(name, _replicas(workload), _container(workload), _volumes(workload)),
        service(name, ports, headless=False, name=name_of(name)),
        # The gateway balances and checks replicas by itself.
        service(name, ports, headless=True, name=pods_of(name)),
        disruption_budget(name),
    ]
    return [*made, *([_autoscaler(name, workload.scaling)] if workload.scaling else [])]


def _replicas(workload: Workload) -> Choice:
    of = values_of(workload.name)
    if workload.scaling:
        return Choice(ABSENT, f"{of}.replicas", f"not {of}.autoscaling.enabled")
    return Choice(REPLICAS, f"{of}.replicas")


def _ports(workload: Workload) -> dict[str, int]:
    return {"http": HTTP_PORT, **({"grpc": GRPC_PORT} if workload.grpc else {})}


def _container(workload: Workload) -> Manifest:
    ports = {**_ports(workload), "internal": INTERNAL_PORT}
    of = values_of(workload.name)
    return {
        "name": workload.name,
        "image": Choice(f"portico/{SERVICES_IMAGE}:{VERSION}", 'include "portico.image" . | quote'),
        "ports": [{"name": name, "containerPort": number} for name, number in ports.items()],
        "envFrom": [{"configMapRef": {"name": SETTINGS}}],
        "env": [
            {"name": "PORTICO_SERVICE", "value": workload.name},
            {"name": "PORTICO_SECRETS_DIR", "value": SECRETS_PATH},
            LISTENS_ON,
            {"name": "PORTICO_PORT", "value": str(HTTP_PORT)},
            {"name": "PORTICO_INTERNAL_PORT", "value": str(INTERNAL_PORT)},
            EachPair(f"{of}.env"),
        ],
        "resources": Choice(resources(workload.cpu, workload.memory), f"{of}.resources | toJson"),
        **probes(INTERNAL_PORT),
        "volumeMounts": [
            {"name": "secrets", "mountPath": SECRETS_PATH, "readOnly": True},
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - an empty directory of the pod's own
        ],
    }


def _volumes(workload: Workload) -> list[Manifest]:
    # Files, never environment variables, which are inherited, listed and included in crash reports.
    name, of = name_of(workload.name), values_of(workload.name)
    several = f'include "portico.projected" (list {SECRETS_MODE} {of}.secretSources)'
    one = f'dict "secretName" ({of}.existingSecret | default "{name}") "defaultMode" {SECRETS_MODE} | toJson'
    secrets = {
        "name": "secrets",
        "projected": Choice(ABSENT, several, f"{of}.secretSources"),
        "secret": Choice({"secretName": name, "defaultMode": SECRETS_MODE}, one, f"not {of}.secretSources"),
    }
    return [secrets, {"name": "tmp", "emptyDir": {"sizeLimit": "64Mi"}}]


def _autoscaler(component: str, scaling: Scaling) -> Manifest:
    of = f"{values_of(component)}.autoscaling"
    target = {"type": "Utilization", "averageUtilization": Choice(scaling.cpu_percent, f"{of}.cpuPercent")}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": metadata(name_of(component), component),
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name_of(component)},
            "minReplicas": Choice(scaling.least, f"{of}.minReplicas"),
            "maxReplicas": Choice(scaling.most, f"{of}.maxReplicas"),
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
            # A quiet minute should not discard the caches of a replica.
            "behavior": {"scaleDown": {"stabilizationWindowSeconds": 600}},
        },
    }
