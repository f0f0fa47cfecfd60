"""The values of the chart: what they are without any, and what is refused."""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.topology import TOPOLOGY, Workload
from portico_runtime.settings import known_names

from portico_stack.kubernetes.gateway import IMAGE, PROXIES, gateway_objects
from portico_stack.kubernetes.gateway_api import PARENT
from portico_stack.kubernetes.manifests import written
from portico_stack.kubernetes.names import GATEWAY, Manifest
from portico_stack.kubernetes.pods import resources
from portico_stack.kubernetes.policies import MONITORING
from portico_stack.kubernetes.services import REPLICAS

Schema = dict[str, Any]

SECRET: Final = ("PASSWORD", "KEY", "KEYS", "SECRET", "HEADERS")
"""How settings end that are files and never values: the chart would show them to everyone who may read releases."""

_SETTING: Final = "^PORTICO_[A-Z0-9_]+$"
_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 1}
_SWITCH: Final[Schema] = {"type": "boolean"}
_TEXTS: Final[Schema] = {"type": "object", "additionalProperties": _TEXT}
_ANY: Final[Schema] = {"type": "object"}


def defaults() -> str:
    """``values.yaml``, each with a comment."""
    return "".join(f"\n# {comment}\n{written([{name: value}])}" for name, (comment, value) in _values().items())


def _values() -> dict[str, tuple[str, object]]:
    [container] = gateway_objects()[0]["spec"]["template"]["spec"]["containers"]
    gateway = {
        "image": IMAGE,
        "replicas": 2,
        "resources": container["resources"],
        "trustedProxies": PROXIES.split(),
    }
    return {
        "settings": (
            "Passed on to every service as they are, all as text: the names of docs/generated/settings.md. PORTICO_ISSUER is needed.",
            {},
        ),
        "image": (
            "Images are <repository>/<service>:<tag>; without a tag the version of the chart. digest of a service goes before it.",
            {"repository": "portico", "tag": "", "pullSecrets": []},
        ),
        "services": (
            "existingSecret: another name than portico-<service>. env: further settings of that service alone.",
            {name: _service(workload) for name, workload in TOPOLOGY.items()},
        ),
        GATEWAY: ("HAProxy with the map of paths. trustedProxies: what connects to it, such as an Ingress controller, and may name the client.", gateway),
        "spreadOver": ("What replicas are spread over: nodes, or topology.kubernetes.io/zone.", "kubernetes.io/hostname"),
        "podAnnotations": ("Of all pods.", {}),
        "clusterDomain": ("The domain of the cluster's names.", "cluster.local"),
        "networkPolicies": (
            "Nothing may be reached but along the edges of the topology; pods of one namespace may read metrics.",
            {"enabled": True, "monitoringNamespace": MONITORING},
        ),
        "ingress": (
            "For the host of the issuer.",
            {"enabled": False, "className": "", "annotations": {}, "tlsSecret": "portico-certificate"},
        ),
        "gatewayApi": (
            "An HTTPRoute for the host of the issuer, pages and gRPC. parentRefs: listeners with TLS.",
            {"enabled": False, "parentRefs": [PARENT]},
        ),
    }  # fmt: skip


def _service(workload: Workload) -> Manifest:
    scaling = workload.scaling
    follows = (
        {"enabled": True, "minReplicas": scaling.least, "maxReplicas": scaling.most, "cpuPercent": scaling.cpu_percent}
        if scaling
        else {}
    )
    return {
        "replicas": REPLICAS,
        **({"autoscaling": follows} if scaling else {}),
        "resources": resources(workload.cpu, workload.memory),
        "existingSecret": "",
        "digest": "",
        "env": {},
    }  # fmt: skip


def schema() -> Schema:
    """``values.schema.json``: a member that is not known is refused, and so is a setting that no service reads."""
    common: dict[str, Schema] = {"replicas": _COUNT, "resources": _ANY}
    service = {
        **common,
        "existingSecret": _TEXT,
        "digest": {"type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"},
        "env": _settings(),
    }
    scaling = _closed({"enabled": _SWITCH, "minReplicas": _COUNT, "maxReplicas": _COUNT, "cpuPercent": _COUNT})
    services = {
        name: _closed({**service, **({"autoscaling": scaling} if workload.scaling else {})})
        for name, workload in TOPOLOGY.items()
    }
    members = {
        "settings": {**_settings(), "required": ["PORTICO_ISSUER"]},
        "image": _closed({"repository": _TEXT, "tag": _TEXT, "pullSecrets": {"type": "array", "items": _closed({"name": _TEXT})}}),
        "services": _closed(services),
        GATEWAY: _closed({**common, "image": _TEXT, "trustedProxies": {"type": "array", "items": _TEXT}}),
        "spreadOver": _TEXT,
        "podAnnotations": _TEXTS,
        "clusterDomain": _TEXT,
        "networkPolicies": _closed({"enabled": _SWITCH, "monitoringNamespace": _TEXT}),
        "ingress": _closed({"enabled": _SWITCH, "className": _TEXT, "annotations": _TEXTS, "tlsSecret": _TEXT}),
        "gatewayApi": _closed({"enabled": _SWITCH, "parentRefs": {"type": "array", "items": _ANY}}),
        "global": _ANY,  # Helm adds it
    }  # fmt: skip
    return {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["settings"], **_closed(members)}


def _settings() -> Schema:
    """By name; numbers would lose digits on the way, so that all are text."""
    names = sorted(name for name in known_names() if not name.endswith(SECRET))
    return {"type": "object", "propertyNames": {"enum": names}, "additionalProperties": _TEXT}


def _closed(members: dict[str, Schema]) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": members}


def example(overlay: str, settings: dict[str, str]) -> str:
    """The values that make of the chart what an overlay is.

    Args:
        settings: of ``settings.env``.
    """
    return written([{"settings": settings, **(_small() if overlay == "small" else _large(overlay))}])


def _small() -> Manifest:
    services = {
        name: {"replicas": 1, **({"autoscaling": {"enabled": False}} if workload.scaling else {})}
        for name, workload in TOPOLOGY.items()
    }
    return {"services": services, GATEWAY: {"replicas": 1}}


def _large(overlay: str) -> Manifest:
    door = "gatewayApi" if overlay == "gateway-api" else "ingress"
    return {GATEWAY: {"replicas": 3}, "spreadOver": "topology.kubernetes.io/zone", door: {"enabled": True}}
