"""The listener for client certificates (decision 0151), off by default.

TLS has to end at the gateway there, so that it has a Service of its own, past the Ingress.
"""

from __future__ import annotations

from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.topology import MTLS_PORT

from portico_stack.gateway.haproxy_certificates import CERTIFICATE_VARIABLE
from portico_stack.kubernetes.names import GATEWAY, HOST, IN_NAMESPACE, Manifest, labels_of, name_of, values_of
from portico_stack.kubernetes.writers import ABSENT, Choice, EachItem

URL: Final = f"https://mtls.{HOST}:{MTLS_PORT}"
"""Of the examples."""

TLS_SECRET: Final = "portico-mtls-certificate"
KEY_SECRET: Final = name_of("token")
"""token has the same key in a file of its Secret."""

SERVICE_TYPES: Final = ("LoadBalancer", "NodePort", "ClusterIP")

_OF: Final = f"{values_of(GATEWAY)}.clientCertificates"
ENABLED: Final = f"{_OF}.enabled"
_NAME: Final = f"{name_of(GATEWAY)}-mtls"
_LISTENER: Final = "mtls"
_VOLUME: Final = "certificate"
_FOLDER: Final = "/portico/certificate"
_READABLE: Final = 0o440
_KEY_FILE: Final = rules.MTLS_KEY_VARIABLE.lower()

# HAProxy finds the private key by the name of the certificate.
_FILES: Final = {"tls.crt": "tls.crt", "tls.key": "tls.crt.key"}


class _Expression(str):
    """Of a template, in the place of a value."""

    __slots__ = ()


_CHOSEN_KEY: Final = _Expression(f"{_OF}.keySecret")
_CHOSEN_TLS: Final = _Expression(f"{_OF}.tlsSecret")


def _port() -> Manifest:
    return {"name": _LISTENER, "containerPort": MTLS_PORT}


def _environment(key_secret: str = KEY_SECRET) -> list[Manifest]:
    of_key = {"secretKeyRef": {"name": key_secret, "key": _KEY_FILE}}
    return [
        {"name": CERTIFICATE_VARIABLE, "value": f"{_FOLDER}/tls.crt"},
        {"name": rules.MTLS_KEY_VARIABLE, "valueFrom": of_key},
    ]


def _mount() -> Manifest:
    return {"name": _VOLUME, "mountPath": _FOLDER, "readOnly": True}


def _volume(tls_secret: str = TLS_SECRET) -> Manifest:
    items = [{"key": key, "path": path} for key, path in _FILES.items()]
    return {"name": _VOLUME, "secret": {"secretName": tls_secret, "defaultMode": _READABLE, "items": items}}


def container_parts() -> tuple[EachItem, EachItem, EachItem]:
    """Ports, environment and mounts that the chart adds to the container; kustomize has `patch`."""
    return _if_enabled(_port()), _if_enabled(*_environment(_CHOSEN_KEY)), _if_enabled(_mount())


def volumes() -> EachItem:
    return _if_enabled(_volume(_CHOSEN_TLS))


def _if_enabled(*items: Manifest) -> EachItem:
    return EachItem(f"ternary (list {' '.join(map(_literal, items))}) (list) {ENABLED}")


def patch() -> list[Manifest]:
    """What the overlay adds to the Deployment of the gateway (JSON Patch)."""
    container = "/spec/template/spec/containers/0"
    added = [
        *((f"{container}/env", one) for one in _environment()),
        (f"{container}/ports", _port()),
        (f"{container}/volumeMounts", _mount()),
        ("/spec/template/spec/volumes", _volume()),
    ]
    return [{"op": "add", "path": f"{path}/-", "value": one} for path, one in added]


def listener() -> Manifest:
    """The Service, which has to pass TLS on to the gateway."""
    annotations = Choice(ABSENT, f"{_OF}.annotations | toJson", f"{_OF}.annotations")
    # Otherwise all clients of a load balancer would have the address of a node.
    local = Choice("Local", '"Local"', f'ne {_OF}.serviceType "ClusterIP"')
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": _NAME,
            "labels": labels_of(GATEWAY),
            "namespace": IN_NAMESPACE,
            "annotations": annotations,
        },
        "spec": {
            "type": Choice(SERVICE_TYPES[0], f"{_OF}.serviceType | quote"),
            "selector": labels_of(GATEWAY),
            "ports": [{"name": _LISTENER, "port": Choice(MTLS_PORT, f"{_OF}.port"), "targetPort": MTLS_PORT}],
            "externalTrafficPolicy": local,
        },
    }


def policy() -> Manifest:
    """Allowed from anywhere, as the other port of the gateway is."""
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": _NAME, "labels": labels_of(GATEWAY), "namespace": IN_NAMESPACE},
        "spec": {
            "podSelector": {"matchLabels": labels_of(GATEWAY)},
            "policyTypes": ["Ingress"],
            "ingress": [{"ports": [{"protocol": "TCP", "port": MTLS_PORT}]}],
        },
    }


def _literal(node: object) -> str:
    """A value in the syntax of templates."""
    match node:
        case _Expression():
            return str(node)
        case bool():
            return str(node).lower()
        case str():
            return f'"{node}"'
        case dict():
            return f"(dict {' '.join(f'{_literal(name)} {_literal(value)}' for name, value in node.items())})"
        case list():
            return f"(list {' '.join(map(_literal, node))})"
    return str(node)
