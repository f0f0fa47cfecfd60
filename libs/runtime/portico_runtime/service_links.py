"""Variables that Kubernetes injects into pods for each Service of their namespace, and that are no settings.

A Service called ``portico-token`` gives ``PORTICO_TOKEN_SERVICE_HOST`` and more, one called ``portico`` even ``PORTICO_PORT``.
Manifests should switch that off (``enableServiceLinks: false``); where they do not, exactly these names with exactly such
values are left out, and every other unknown name is refused as ever (Kubernetes, "Accessing the Service", and the source of
kubelet's ``envvars.FromServices``).
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
    """The names of the variables that Kubernetes injected.

    Args:
        variables: of the process, by name.
    """
    hosts = {name.removesuffix(_HOST): value for name, value in variables.items() if name.endswith(_HOST)}
    services = {name: host for name, host in hosts.items() if _is_address(host)}
    return frozenset(
        name
        for name, value in variables.items()
        for service, host in services.items()
        if name.startswith(f"{service}_") and _is_link(name.removeprefix(service), value, host)
    )


def _is_link(rest: str, value: str, host: str) -> bool:
    """Whether what is behind the name of a Service is one of its links, by its name and its value.

    Args:
        host: the Service's cluster IP.
    """
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
