"""One route for pages and gRPC: an HTTPRoute and a GRPCRoute of one host would conflict (GEP-1016)."""

from __future__ import annotations

from typing import Final

from portico_contracts.topology import GATEWAY_PORT, GRPC_PORT

from portico_stack.kubernetes.names import (
    CHOSEN_HOST,
    GATEWAY,
    HOST,
    IN_NAMESPACE,
    NAMESPACE,
    Manifest,
    labels_of,
    name_of,
)
from portico_stack.kubernetes.writers import HEAD, Choice, written

PARENT: Final[Manifest] = {"name": "public", "namespace": "gateways", "sectionName": "https"}
"""The listener of the route; without its name the route would also apply to one without TLS."""

_API: Final = "gateway.networking.k8s.io/v1"
_GRPC: Final = ("application/grpc", "application/grpc+proto")
"""Media types of gRPC clients. Not every implementation supports patterns."""

_USE: Final = """\
# A Gateway for a cluster that has none yet: name the class of your implementation, and the host of your issuer.
# The certificate is a Secret of type kubernetes.io/tls beside it.
"""


def gateway_api_files() -> dict[str, str]:
    return {"public.yaml": HEAD + _USE + written([_public()])}


def route() -> Manifest:
    """Routes the whole host to the gateway, which has the path map; gRPC to the port that declares h2c."""
    return {
        "apiVersion": _API,
        "kind": "HTTPRoute",
        "metadata": {"name": name_of(GATEWAY), "namespace": IN_NAMESPACE, "labels": labels_of(GATEWAY)},
        "spec": {
            "parentRefs": Choice([PARENT], ".Values.gatewayApi.parentRefs | toJson"),
            "hostnames": [CHOSEN_HOST],
            "rules": [
                {"matches": [_content(kind) for kind in _GRPC], "backendRefs": [_gateway(GRPC_PORT)]},
                {"backendRefs": [_gateway(GATEWAY_PORT)]},
            ],
        },
    }


def _content(kind: str) -> Manifest:
    return {"headers": [{"name": "Content-Type", "value": kind}]}


def _gateway(port: int) -> Manifest:
    return {"name": name_of(GATEWAY), "port": port}


def _public() -> Manifest:
    ours = {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}}
    return {
        "apiVersion": _API,
        "kind": "Gateway",
        "metadata": {"name": PARENT["name"], "namespace": PARENT["namespace"]},
        "spec": {
            "gatewayClassName": "your-class",
            "listeners": [
                {
                    "name": PARENT["sectionName"],
                    "hostname": HOST,
                    "port": 443,
                    "protocol": "HTTPS",
                    "tls": {"mode": "Terminate", "certificateRefs": [{"name": "portico-certificate"}]},
                    "allowedRoutes": {
                        "kinds": [{"kind": "HTTPRoute"}],
                        "namespaces": {"from": "Selector", "selector": ours},
                    },
                }
            ],
        },
    }
