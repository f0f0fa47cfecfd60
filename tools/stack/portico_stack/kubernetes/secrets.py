from __future__ import annotations

from typing import Final

from portico_contracts.topology import TOPOLOGY, Workload

from portico_stack.kubernetes.names import NAMESPACE, Manifest, metadata, name_of
from portico_stack.kubernetes.services import SECRETS_MODE
from portico_stack.kubernetes.writers import HEAD, written

_USE: Final = """\
# One Secret for each service, whose keys are the files it reads. Name your store; each service is one entry of it, with these properties.
"""


_PROJECTED: Final = """\
# Files out of several Secrets of this namespace, as operators of databases make them: name yours, and put into your kustomization
# patches: [{path: projected.yaml}]. With Helm: secretSources, as in deploy/helm/secret-sources.yaml.
"""

_OTHERS: Final = {
    "bus_password": "nats-users",
    "redis_password": "redis-users",
    "mongo_password": "mongo-users",
    "master_keys": "master-keys",
    "login_api_key": "login-api",
    "console_client_key": "console-client",
}

_SHARED: Final = {"login_api_key": "key", "console_client_key": "key"}
"""Keys of values that all services share."""


def secret_files() -> dict[str, str]:
    external = [_external(one) for one in TOPOLOGY.values()]
    projected = [_projected(one) for one in TOPOLOGY.values()]
    return {
        "external-secrets.yaml": HEAD + _USE + written(external),
        "projected.yaml": HEAD + _PROJECTED + written(projected),
    }


def sources(workload: Workload) -> list[Manifest]:
    return [
        {"name": _OTHERS[one], "items": [{"key": _SHARED.get(one, workload.name), "path": f"portico_{one}"}]}
        for one in workload.secrets
    ]


def _projected(workload: Workload) -> Manifest:
    together = {"defaultMode": SECRETS_MODE, "sources": [{"secret": one} for one in sources(workload)]}
    volumes = [{"name": "secrets", "secret": None, "projected": together}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name_of(workload.name), "namespace": NAMESPACE},
        "spec": {"template": {"spec": {"volumes": volumes}}},
    }


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
