"""Network policies: deny all, then allow the edges of the topology."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network
from typing import Final

from portico_contracts.topology import (
    GATEWAY_PORT,
    GRPC_PORT,
    HTTP_PORT,
    INTERNAL_PORT,
    SERVER_PORTS,
    TOPOLOGY,
    Workload,
)

from portico_stack.kubernetes.names import GATEWAY, Manifest, labels_of, metadata, name_of
from portico_stack.kubernetes.writers import NAMESPACED, Choice, EachItem

MONITORING: Final = "monitoring"

_CHOSEN_MONITORING: Final = Choice(MONITORING, ".Values.networkPolicies.monitoringNamespace | quote")

_NAMESPACE: Final = "kubernetes.io/metadata.name"
_PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8")
_NAT64: Final = int(IPv6Address("64:ff9b::"))
"""Before an IPv4 address, how a network without IPv4 reaches it (RFC 6052 section 2.1)."""

_BY_NAT64: Final = [
    str(IPv6Network((_NAT64 + int(one.network_address), 96 + one.prefixlen))) for one in map(IPv4Network, _PRIVATE)
]
_PRIVATE_6: Final = ("fc00::/7", "fe80::/10", "64:ff9b:1::/48", *_BY_NAT64)
_SMTP: Final = (25, 465, 587, 2525)
_LDAP: Final = (389, 636)
_CHOSEN: Final = EachItem(".Values.networkPolicies.egress")
"""For addresses in ``PORTICO_OUTBOUND_ALLOW`` and ports that only the operator knows."""


def policies() -> list[Manifest]:
    return [_nothing(), _dns(), _gateway(), *(_of(workload) for workload in TOPOLOGY.values())]


def _policy(name: str, component: str | None, **spec: Sequence[Manifest | EachItem]) -> Manifest:
    selector = {"matchLabels": labels_of(component)} if component else {}
    kinds = ["Ingress", "Egress"] if component or not spec else ["Egress"]
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(name, component) if component else {"name": name, "namespace": NAMESPACED},
        "spec": {"podSelector": selector, "policyTypes": kinds, **spec},
    }


def _nothing() -> Manifest:
    return _policy("portico-nothing", None)


def _dns() -> Manifest:
    ports = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
    names = [{"namespaceSelector": {"matchLabels": {_NAMESPACE: "kube-system"}}}]
    return _policy("portico-dns", None, egress=[{"to": names, "ports": ports}])


def _gateway() -> Manifest:
    """Allowed from anywhere: an ingress controller may be in any namespace, or outside of the cluster."""
    ports = [*_tcp(HTTP_PORT), *_tcp(INTERNAL_PORT)]
    leads = [
        {"to": [_pods(one)], "ports": [*ports, *(_tcp(GRPC_PORT) if TOPOLOGY[one].grpc else [])]} for one in TOPOLOGY
    ]
    return _policy(name_of(GATEWAY), GATEWAY, ingress=[{"ports": _tcp(GATEWAY_PORT)}], egress=leads)


def _of(workload: Workload) -> Manifest:
    return _policy(name_of(workload.name), workload.name, ingress=_ingress(workload), egress=_egress(workload))


def _ingress(workload: Workload) -> list[Manifest]:
    callers = [one.name for one in TOPOLOGY.values() if workload.name in one.calls]
    own = [*_tcp(HTTP_PORT), *(_tcp(GRPC_PORT) if workload.grpc else [])]
    monitored = {"namespaceSelector": {"matchLabels": {_NAMESPACE: _CHOSEN_MONITORING}}}
    return [
        {"from": [_pods(GATEWAY)], "ports": [*own, *_tcp(INTERNAL_PORT)]},
        *([{"from": [_pods(one) for one in callers], "ports": _tcp(HTTP_PORT)}] if callers else []),
        {"from": [monitored], "ports": _tcp(INTERNAL_PORT)},
    ]


def _egress(workload: Workload) -> list[Manifest | EachItem]:
    called = [{"to": [_pods(one)], "ports": _tcp(HTTP_PORT)} for one in workload.calls]
    # The servers may be in the cluster, outside, or managed, so only their ports are restricted.
    servers = [{"ports": _tcp(*SERVER_PORTS[server])} for server in workload.servers]
    outside = [_all_but("0.0.0.0/0", _PRIVATE), _all_but("::/0", _PRIVATE_6)]
    https = [{"to": outside, "ports": _tcp(443)}] if workload.outbound else []
    mail = [{"ports": _tcp(*_SMTP)}] if workload.mail else []
    # Directories and mail servers are often on a private network; users refuses unlisted private directories itself.
    directories = [{"ports": _tcp(*_LDAP)}] if workload.ldap else []
    return [*called, *servers, *https, *mail, *directories, *([_CHOSEN] if workload.outbound else [])]


def _all_but(network: str, private: Iterable[str]) -> Manifest:
    return {"ipBlock": {"cidr": network, "except": list(private)}}


def _pods(component: str) -> Manifest:
    return {"podSelector": {"matchLabels": labels_of(component)}}


def _tcp(*ports: int) -> list[Manifest]:
    return [{"protocol": "TCP", "port": port} for port in ports]
