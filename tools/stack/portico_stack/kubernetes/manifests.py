from __future__ import annotations

from portico_contracts.topology import TOPOLOGY

from portico_stack.kubernetes.gateway import CONFIGURATION, gateway_files, gateway_objects
from portico_stack.kubernetes.names import NAMESPACE, Manifest
from portico_stack.kubernetes.policies import policies
from portico_stack.kubernetes.services import objects_of
from portico_stack.kubernetes.writers import HEAD, written


def base_files() -> dict[str, str]:
    manifests = {
        **{f"{name}.yaml": objects_of(workload) for name, workload in TOPOLOGY.items()},
        "gateway.yaml": gateway_objects(),
        "network-policies.yaml": policies(),
        "namespace.yaml": [_namespace()],
    }
    files = {name: HEAD + written(objects) for name, objects in manifests.items()}
    return {**files, **gateway_files(), "kustomization.yaml": HEAD + written([_kustomization(sorted(manifests))])}


def _namespace() -> Manifest:
    level = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "audit", "warn")}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": level}}


def _kustomization(resources: list[str]) -> Manifest:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": NAMESPACE,
        "resources": resources,
        "configMapGenerator": [{"name": CONFIGURATION, "files": sorted(gateway_files())}],
    }
