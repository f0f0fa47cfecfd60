from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Union

from portico_contracts.gateway import PROXIES_VARIABLE
from portico_contracts.topology import HTTP_PORT, MTLS_PORT, TOPOLOGY, Workload, address_setting

from portico_stack.kubernetes import chart_schema as may_be
from portico_stack.kubernetes import client_certificates
from portico_stack.kubernetes.chart_schema import Schema, closed, listed
from portico_stack.kubernetes.gateway import IMAGE, PROXIES, RESOURCES
from portico_stack.kubernetes.gateway_api import PARENT
from portico_stack.kubernetes.names import GATEWAY, Manifest, name_of
from portico_stack.kubernetes.pods import resources
from portico_stack.kubernetes.policies import MONITORING
from portico_stack.kubernetes.services import REPLICAS
from portico_stack.kubernetes.writers import written


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the chart: its default, schema and description."""

    default: object
    schema: Schema
    text: str


Tree = Mapping[str, Union[Value, "Tree"]]

_AT_MOST: Final = f"at most {may_be.REPLICAS['maximum']}"

SERVICE: Final = "<service>"
"""Placeholder of a service's name, where all have the same values."""


def values() -> Tree:
    return {
        "settings": Value(
            _own_settings(),
            may_be.settings("PORTICO_ISSUER"),
            "Settings of all services, as strings; see docs/generated/settings.md. PORTICO_ISSUER is required.",
        ),
        "image": {
            "repository": Value("portico", may_be.REPOSITORY, "Image repository. The image of all services is `repository/services:tag`."),
            "tag": Value("", may_be.TAG, "Image tag. Default: the version of the chart."),
            "digest": Value("", may_be.DIGEST, "Image digest, instead of the tag."),
            "pullSecrets": Value([], listed(closed({"name": may_be.OBJECT}, "name")), "Image pull secrets, each with its name."),
        },
        "services": {name: _service(workload) for name, workload in TOPOLOGY.items()},
        GATEWAY: {
            "image": Value(IMAGE, may_be.IMAGE, "HAProxy image of the gateway."),
            "replicas": Value(2, may_be.COUNT, "Number of gateway replicas."),
            "resources": Value(RESOURCES, may_be.amounts(), "Resource requests and limits of a gateway replica."),
            "trustedProxies": Value(
                PROXIES.split(),
                listed(may_be.NETWORK),
                "Networks of proxies in front of the gateway, such as an Ingress controller. Only their X-Forwarded-* headers are trusted. "
                f"They are {PROXIES_VARIABLE} of the settings too, unless given there.",
            ),
            "clientCertificates": _client_certificates(),
        },
        "spreadOver": Value("kubernetes.io/hostname", may_be.LABEL_KEY, "Topology key to spread replicas over: nodes, or topology.kubernetes.io/zone."),
        "podAnnotations": Value({}, may_be.TEXTS, "Annotations of all pods."),
        "clusterDomain": Value("cluster.local", may_be.OBJECT, "DNS domain of the cluster."),
        "ipv6": Value(default=False, schema=may_be.SWITCH, text="Whether pods listen on IPv6 too. Needed where Services have IPv6 addresses."),
        "networkPolicies": {
            "enabled": Value(default=True, schema=may_be.SWITCH, text="Whether to create NetworkPolicies that allow only the connections of the topology."),
            "monitoringNamespace": Value(MONITORING, may_be.LABEL, "Namespace whose pods may read metrics."),
            "egress": Value(
                [],
                may_be.egress(),
                "Additional egress rules of authz and users, as in a NetworkPolicy: for private hosts in PORTICO_OUTBOUND_ALLOW, and for other ports.",
            ),
        },
        "ingress": {
            "enabled": Value(default=False, schema=may_be.SWITCH, text="Whether to create an Ingress for the host of the issuer."),
            "className": Value("", may_be.OPTIONAL_OBJECT, "Ingress class. Default: that of the cluster."),
            "annotations": Value({}, may_be.TEXTS, "Annotations of the Ingress."),
            "tlsSecret": Value("portico-certificate", may_be.OBJECT, "Secret with the TLS certificate."),
        },
        "gatewayApi": {
            "enabled": Value(default=False, schema=may_be.SWITCH, text="Whether to create an HTTPRoute for the host of the issuer, for pages and gRPC."),
            "parentRefs": Value([PARENT], may_be.parents(), "Gateway listeners that the HTTPRoute attaches to. They terminate TLS."),
        },
    }  # fmt: skip


def _client_certificates() -> Tree:
    types = ", ".join(client_certificates.SERVICE_TYPES)
    return {
        "enabled": Value(default=False, schema=may_be.SWITCH, text="Whether to listen for client certificates (RFC 8705) at PORTICO_MTLS_URL, a setting."),
        "tlsSecret": Value(client_certificates.TLS_SECRET, may_be.OBJECT, "Secret with the TLS certificate of PORTICO_MTLS_URL."),
        "keySecret": Value(client_certificates.KEY_SECRET, may_be.OBJECT, "Secret whose key portico_mtls_gateway_key is the file of that name of token."),
        "serviceType": Value(client_certificates.SERVICE_TYPES[0], {"enum": list(client_certificates.SERVICE_TYPES)}, f"Type of the Service, which passes TLS on to the gateway: {types}."),
        "port": Value(MTLS_PORT, may_be.PORT, "Port of the Service."),
        "annotations": Value({}, may_be.TEXTS, "Annotations of the Service."),
    }  # fmt: skip


def _own_settings() -> dict[str, str]:
    called = sorted({one for workload in TOPOLOGY.values() for one in workload.calls})
    addresses = {address_setting(name): f"http://{name_of(name)}:{HTTP_PORT}" for name in called}
    return {"PORTICO_TRUSTED_PROXIES": ",".join(PROXIES.split()), **addresses}


def _service(workload: Workload) -> Tree:
    needed = resources(workload.cpu, workload.memory)
    return {
        "replicas": Value(REPLICAS, may_be.REPLICAS, f"Number of replicas, {_AT_MOST}. Ignored for token if the autoscaler is on."),
        **({"autoscaling": _scaling(workload)} if workload.scaling else {}),
        "resources": Value(needed, may_be.amounts(), "Resource requests and limits of a replica."),
        "existingSecret": Value("", may_be.OPTIONAL_OBJECT, "Secret with the secret files. Default: `portico-<service>`."),
        "secretSources": Value(
            [],
            may_be.secret_sources(),
            "Several Secrets instead of existingSecret: each with name and, if its keys have other names than the files, items of key and path.",
        ),
        "env": Value({}, may_be.settings(), "Additional settings of this service only."),
    }  # fmt: skip


def _scaling(workload: Workload) -> Tree:
    assert workload.scaling  # noqa: S101 - it is called for no other
    return {
        "enabled": Value(default=True, schema=may_be.SWITCH, text="Whether to create a HorizontalPodAutoscaler."),
        "minReplicas": Value(workload.scaling.least, may_be.REPLICAS, "Minimum number of replicas."),
        "maxReplicas": Value(workload.scaling.most, may_be.REPLICAS, f"Maximum number of replicas, {_AT_MOST}."),
        "cpuPercent": Value(workload.scaling.cpu_percent, may_be.PERCENT, "Target CPU utilization in percent of the requested CPU."),
    }  # fmt: skip


def defaults() -> str:
    """``values.yaml``, with the description of each value at its first occurrence."""
    return "".join(f"\n{text}" for text in _commented(values(), "", set()))


def _commented(tree: Tree, indentation: str, known: set[str]) -> Iterator[str]:
    for name, one in tree.items():
        if isinstance(one, Value):
            comment = "" if one.text in known else f"{indentation}# {one.text}\n"
            known.add(one.text)
            lines = written([{name: one.default}]).splitlines()
            yield comment + "".join(f"{indentation}{line}\n" for line in lines)
        else:
            yield f"{indentation}{name}:\n" + "".join(_commented(one, f"{indentation}  ", known))


def schema() -> Schema:
    """``values.schema.json``: unknown members, and settings that no service reads, are rejected."""
    members = {name: _schema_of(one) for name, one in values().items()}
    # Helm adds "global".
    found = closed({**members, "global": may_be.ANY}, "settings")
    # Two sources of its files are an error.
    for one in found["properties"]["services"]["properties"].values():
        one["if"] = {"properties": {"secretSources": {"minItems": 1}}, "required": ["secretSources"]}
        one["then"] = {"properties": {"existingSecret": {"const": ""}}}
    return {"$schema": "http://json-schema.org/draft-07/schema#", **found}


def _schema_of(one: Value | Tree) -> Schema:
    if isinstance(one, Value):
        return one.schema
    return closed({name: _schema_of(member) for name, member in one.items()})


def rows() -> list[tuple[str, str, str]]:
    """Path, default and description of each value; those of all services once."""
    leaves = list(_leaves(values(), ()))
    common = [path[2:] for path, _ in leaves if path[0] == "services"]
    found: dict[str, tuple[str, str]] = {}
    for path, one in leaves:
        shared = path[0] == "services" and common.count(path[2:]) == len(TOPOLOGY)
        name = ".".join((path[0], SERVICE, *path[2:]) if shared else path)
        default = json.dumps(one.default)
        known, _text = found.get(name, (default, ""))
        found[name] = (default if known == default else "", one.text)
    return [(path, default, text) for path, (default, text) in found.items()]


def _leaves(tree: Tree, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Value]]:
    for name, one in tree.items():
        if isinstance(one, Value):
            yield (*path, name), one
        else:
            yield from _leaves(one, (*path, name))


def example(overlay: str, settings: dict[str, str]) -> str:
    """Values that configure the chart like an overlay; `settings` are those of ``settings.env``."""
    derived = {**_own_settings(), PROXIES_VARIABLE: PROXIES}
    chosen = {name: value for name, value in settings.items() if derived.get(name) != value}
    if overlay == "client-certificates":
        chosen["PORTICO_MTLS_URL"] = client_certificates.URL
    return written([{"settings": chosen, **(_small() if overlay == "small" else _large(overlay))}])


def _small() -> Manifest:
    services = {
        name: {"replicas": 1, **({"autoscaling": {"enabled": False}} if workload.scaling else {})}
        for name, workload in TOPOLOGY.items()
    }
    return {"services": services, GATEWAY: {"replicas": 1}}


def _large(overlay: str) -> Manifest:
    door = "gatewayApi" if overlay == "gateway-api" else "ingress"
    certificates = {"clientCertificates": {"enabled": True}} if overlay == "client-certificates" else {}
    return {
        GATEWAY: {"replicas": 3, **certificates},
        "spreadOver": "topology.kubernetes.io/zone",
        door: {"enabled": True},
    }
