from __future__ import annotations

from typing import Final

from portico_contracts.catalogue import SERVICES
from portico_contracts.gateway import PROXIES_VARIABLE
from portico_contracts.topology import GATEWAY_PORT, GRPC_PORT, HTTP_PORT, INTERNAL_PORT, MTLS_PORT, TOPOLOGY

from portico_stack.gateway.haproxy import HaproxySite, haproxy_files
from portico_stack.kubernetes import client_certificates
from portico_stack.kubernetes.names import GATEWAY, NAMESPACE, Manifest, name_of, pods_of, values_of
from portico_stack.kubernetes.pods import LISTENS_ON, deployment, disruption_budget, resources, service
from portico_stack.kubernetes.writers import Choice

IMAGE: Final = "haproxy:3.2.4-alpine"
CONFIGURATION: Final = "portico-gateway"
"""The ConfigMap with `gateway_files`."""

PROXIES: Final = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fd00::/8"
"""Networks of Ingress controllers: otherwise every client would have the controller's address."""

_PLACE: Final = "/usr/local/etc/haproxy"
_DOMAIN: Final = f"{NAMESPACE}.svc.cluster.local"
"""HAProxy needs full names: it uses no search list."""

RESOURCES: Final = resources(cpu=500, memory=256)
_OF: Final = values_of(GATEWAY)


def gateway_files(domain: str = _DOMAIN) -> dict[str, str]:
    """The configuration with the common map, rules and limits; replicas are found by DNS."""
    upstreams = {one: (f"{pods_of(one)}.{domain}:{HTTP_PORT}",) for one in SERVICES}
    grpc = {one: (f"{pods_of(one)}.{domain}:{GRPC_PORT}",) for one in SERVICES if TOPOLOGY[one].grpc}
    site = HaproxySite(
        (f":{GATEWAY_PORT}",),
        upstreams,
        grpc,
        mtls_listen=(f":{MTLS_PORT}",),
        strict_transport=True,
        ready_port=INTERNAL_PORT,
    )
    return haproxy_files(site)


def gateway_objects() -> list[Manifest]:
    return [
        deployment(
            GATEWAY,
            Choice(2, f"{_OF}.replicas"),
            _container(),
            [{"name": "configuration", "configMap": {"name": CONFIGURATION}}, client_certificates.volumes()],
        ),
        service(
            GATEWAY, {"http": GATEWAY_PORT, "grpc": GRPC_PORT}, headless=False, name=name_of(GATEWAY), to=GATEWAY_PORT
        ),
        disruption_budget(GATEWAY),
    ]


def _container() -> Manifest:
    listening = {"tcpSocket": {"port": GATEWAY_PORT}}
    port, environment, mount = client_certificates.container_parts()
    return {
        "name": GATEWAY,
        "image": Choice(IMAGE, f"{_OF}.image | quote"),
        "args": ["haproxy", "-W", "-db", "-f", f"{_PLACE}/haproxy.cfg"],
        "ports": [{"name": "http", "containerPort": GATEWAY_PORT}, port],
        "env": [
            LISTENS_ON,
            {"name": PROXIES_VARIABLE, "value": Choice(PROXIES, f'{_OF}.trustedProxies | join " " | quote')},
            environment,
        ],
        "resources": Choice(RESOURCES, f"{_OF}.resources | toJson"),
        "startupProbe": {**listening, "periodSeconds": 1, "failureThreshold": 30},
        "readinessProbe": {**listening, "periodSeconds": 5},
        "livenessProbe": {**listening, "periodSeconds": 10, "failureThreshold": 3},
        "lifecycle": {"preStop": {"sleep": {"seconds": 5}}},
        "volumeMounts": [{"name": "configuration", "mountPath": _PLACE, "readOnly": True}, mount],
    }
