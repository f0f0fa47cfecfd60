"""Network policy for a collector of spans: without it the services reach no foreign host."""

from __future__ import annotations

from typing import Final

from portico_contracts.topology import TOPOLOGY

from portico_stack.kubernetes.names import NAMESPACE, Manifest
from portico_stack.kubernetes.policies import MONITORING
from portico_stack.kubernetes.writers import HEAD, written

_OTLP: Final = 4318
_USE: Final = """\
# The services may send spans to a collector (docs/guides/tracing.md). Put in its namespace, labels and port.
"""


def collector_files() -> dict[str, str]:
    return {"collector.yaml": HEAD + _USE + written([_policy()])}


def _policy() -> Manifest:
    # Without the gateway, whose spans the services send.
    services = {"key": "app.kubernetes.io/component", "operator": "In", "values": list(TOPOLOGY)}
    collector = {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": MONITORING}},
        "podSelector": {"matchLabels": {"app.kubernetes.io/name": "opentelemetry-collector"}},
    }
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "portico-collector", "namespace": NAMESPACE},
        "spec": {
            "podSelector": {"matchLabels": {"app.kubernetes.io/part-of": "portico"}, "matchExpressions": [services]},
            "policyTypes": ["Egress"],
            "egress": [{"to": [collector], "ports": [{"protocol": "TCP", "port": _OTLP}]}],
        },
    }
