from __future__ import annotations

from typing import Any, Final, Literal, get_args, get_origin

from portico_runtime.settings.loading import all_sections
from portico_runtime.settings.section import PREFIX
from pydantic import SecretStr

from portico_stack.gateway.haproxy_servers import SLOTS

Schema = dict[str, Any]

FIXED: Final = frozenset({"PORTICO_HOST", "PORTICO_PORT", "PORTICO_INTERNAL_PORT", "PORTICO_GRPC_PORT"})
"""Settings fixed by the manifests, which probes and Services depend on: another value would create pods that are
never ready.
"""

_LABEL: Final = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_OBJECT: Final = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?"

TEXT: Final[Schema] = {"type": "string"}
SWITCH: Final[Schema] = {"type": "boolean"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 1}
REPLICAS: Final[Schema] = {**COUNT, "maximum": SLOTS - 1}
"""Of a service: the gateway finds one more, which an update adds for some time."""

PERCENT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 100}
TEXTS: Final[Schema] = {"type": "object", "additionalProperties": TEXT}
ANY: Final[Schema] = {"type": "object"}


def matching(pattern: str, *, empty: bool = False) -> Schema:
    return {"type": "string", "pattern": f"^({pattern}){'?' * empty}$"}


LABEL: Final = matching(_LABEL)
OBJECT: Final = matching(_OBJECT)
OPTIONAL_OBJECT: Final = matching(_OBJECT, empty=True)
LABEL_KEY: Final = matching(r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
REPOSITORY: Final = matching("[a-z0-9]([a-z0-9._:/-]*[a-z0-9])?")
TAG: Final = matching("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}", empty=True)
DIGEST: Final = matching("sha256:[0-9a-f]{64}", empty=True)
IMAGE: Final = matching("[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(@sha256:[0-9a-f]{64})?")
NETWORK: Final = matching("[0-9a-fA-F:.]+(/[0-9]{1,3})?")
_CIDR: Final = matching("[0-9a-fA-F:.]+/[0-9]{1,3}")
PORT: Final[Schema] = {**COUNT, "maximum": 65_535}
_AMOUNT: Final = matching(r"[0-9]+([.][0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?")
_FILE: Final = "[A-Za-z0-9][A-Za-z0-9._-]*"


def closed(members: dict[str, Schema], *needed: str) -> Schema:
    """An object with only these members."""
    required = {"required": list(needed)} if needed else {}
    return {"type": "object", "additionalProperties": False, "properties": members, **required}


def listed(item: Schema, *, least: int = 0) -> Schema:
    return {"type": "array", "items": item, **({"minItems": least} if least else {})}


def amounts() -> Schema:
    some = closed({"cpu": {"anyOf": [COUNT, _AMOUNT]}, "memory": _AMOUNT, "ephemeral-storage": _AMOUNT})
    return closed({"requests": some, "limits": some})


def settings(*needed: str) -> Schema:
    """By name, all as text: numbers would lose digits. No secrets, and no settings fixed by the manifests."""
    usual = {name: _as_text(kind) for name, kind in _kinds().items() if kind is not SecretStr and name not in FIXED}
    return closed({**usual, "PORTICO_ISSUER": matching(r"https://[^/?#@\s]+")}, *needed)


def secret_sources() -> Schema:
    """Secrets whose keys become files: secret settings, or other files, such as certificates."""
    secrets = sorted(name.lower() for name, kind in _kinds().items() if kind is SecretStr)
    others = {**matching(_FILE), "not": {"pattern": f"^{PREFIX.lower()}"}}
    item = closed({"key": matching("[-._A-Za-z0-9]+"), "path": {"anyOf": [{"enum": secrets}, others]}}, "key", "path")
    return listed(closed({"name": OBJECT, "optional": SWITCH, "items": listed(item, least=1)}, "name"))


def _kinds() -> dict[str, object]:
    fields = {name: one.annotation for kind in all_sections() for name, one in kind.model_fields.items()}
    return {PREFIX + name.upper(): fields[name] for name in sorted(fields)}


def _as_text(kind: object) -> Schema:
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    patterns: dict[object, str] = {int: "[0-9]+", float: "[0-9]+([.][0-9]+)?"}
    return matching(patterns[kind]) if kind in patterns else TEXT


def parents() -> Schema:
    names = {"name": OBJECT, "namespace": LABEL, "sectionName": OBJECT, "group": TEXT, "kind": TEXT}
    return listed(closed({**names, "port": PORT}, "name"), least=1)


def egress() -> Schema:
    """Rules of a NetworkPolicy; one without any member would allow every connection."""
    operators: Schema = {"enum": ["In", "NotIn", "Exists", "DoesNotExist"]}
    expression = closed({"key": LABEL_KEY, "operator": operators, "values": listed(TEXT)}, "key", "operator")
    selector = closed({"matchLabels": TEXTS, "matchExpressions": listed(expression)})
    pods = {**closed({"namespaceSelector": selector, "podSelector": selector}), "minProperties": 1}
    block = closed({"ipBlock": closed({"cidr": _CIDR, "except": listed(_CIDR)}, "cidr")}, "ipBlock")
    protocol: Schema = {"enum": ["TCP", "UDP", "SCTP"]}
    port = closed({"protocol": protocol, "port": {"anyOf": [PORT, LABEL]}, "endPort": PORT})
    port["dependencies"] = {"endPort": ["port"]}
    rule = closed({"to": listed({"anyOf": [block, pods]}, least=1), "ports": listed(port, least=1)})
    return listed({**rule, "minProperties": 1})
