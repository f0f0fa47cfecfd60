"""The Secrets the pods wait for, as External Secrets Operator makes them from a store of the operator's own."""

from __future__ import annotations

from typing import Final

from portico_contracts.topology import TOPOLOGY, Workload

from portico_stack.kubernetes.manifests import HEAD, written
from portico_stack.kubernetes.names import NAMESPACE, Manifest, metadata, name_of

_USE: Final = """\
# One Secret for each service, whose keys are the files it reads. Name your store; each service is one entry of it, with these properties.
"""


def secret_files() -> dict[str, str]:
    """The files by name, below ``secrets``."""
    return {"external-secrets.yaml": HEAD + _USE + written([_external(one) for one in TOPOLOGY.values()])}


def _external(workload: Workload) -> Manifest:
    name = name_of(workload.name)
    files = [f"portico_{secret}" for secret in workload.secrets]
    return {
        "apiVersion": "external-secrets.io/v1",
        "kind": "ExternalSecret",
        "metadata": {**metadata(name, workload.name), "namespace": NAMESPACE},
        "spec": {
            "refreshInterval": "1h",
            "secretStoreRef": {"kind": "ClusterSecretStore", "name": "your-store"},
            "target": {"name": name, "creationPolicy": "Owner"},
            "data": [{"secretKey": file, "remoteRef": {"key": name, "property": file}} for file in files],
        },
    }
