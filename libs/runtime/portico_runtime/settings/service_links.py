"""Recognizes variables that Kubernetes injects for each Service of a namespace, and that are not settings.

A Service ``portico-token`` gives ``PORTICO_TOKEN_SERVICE_HOST`` and more, one called ``portico`` even
``PORTICO_PORT``. Manifests should disable that (``enableServiceLinks: false``); otherwise exactly these names
with such values are ignored, and other unknown names remain errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final

_HOST: Final = "_SERVICE_HOST"
_PROTOCOLS: Final = "tcp|udp|sctp"
_NUMBER: Final = re.compile(r"[0-9]{1,5}\Z")


def service_links(variables: Mapping[str, str]) -> frozenset[str]:
    hosts = {name.removesuffix(_HOST): value for name, value in variables.items() if name.endswith(_HOST)}
    services = {name: host for name, host in hosts.items() if _is_address(host)}
    return frozenset(
        name
        for name, value in variables.items()
        for service, host in services.items()
        if name.startswith(f"{service}_") and _is_link(name.removeprefix(service), value, host)
    )


def _is_link(rest: str, value: str, host: str) -> bool:
    """Returns whether a variable is a Service link by the rest of its name and its value; `host` is the cluster IP."""
    if rest == _HOST:
        return value == host
    if re.fullmatch(r"_SERVICE_PORT(_[A-Z0-9_]+)?|_PORT_[0-9]+_(TCP|UDP|SCTP)_PORT", rest):
        return bool(_NUMBER.match(value))
    if re.fullmatch(r"_PORT(_[0-9]+_(TCP|UDP|SCTP))?", rest):
        written = f"[{host}]" if ":" in host else host
        return bool(re.fullmatch(rf"({_PROTOCOLS})://{re.escape(written)}:[0-9]{{1,5}}", value))
    if re.fullmatch(r"_PORT_[0-9]+_(TCP|UDP|SCTP)_PROTO", rest):
        return bool(re.fullmatch(_PROTOCOLS, value))
    return bool(re.fullmatch(r"_PORT_[0-9]+_(TCP|UDP|SCTP)_ADDR", rest)) and value == host


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
