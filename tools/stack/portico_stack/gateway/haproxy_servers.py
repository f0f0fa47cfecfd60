from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.topology import READY_HELD_SECONDS, READYZ

SLOTS: Final = 16
"""Maximum replicas of one service found by DNS."""

_READINESS: Final = "inter 500ms fall 1 rise 1 observe layer7 error-limit 3 on-error mark-down"
"""A replica that HAProxy knows as ready holds its response until it is not ready, or for `READY_HELD_SECONDS`
(decision 0089). Three consecutive errors skip a replica at once, until it is ready.
"""

CHECK_SECONDS: Final = READY_HELD_SECONDS + 1
"""A replica that does not respond for as long is skipped."""

SENT_AGAIN: Final = (
    f"{{ method {' '.join(rules.NO_BODY_METHODS)} }} {{ nbsrv gt 1 }} !{{ req.hdr({rules.USED_UP}) -m found }}"
)
"""Which requests without a response another replica gets. HAProxy copies a buffer for each of them, a third of what it
costs in all; without another replica nothing would answer the second time either.
"""


def servers(
    service: str,
    addresses: Sequence[str],
    ready_ports: Mapping[str, int | None],
    *,
    grpc: bool = False,
    checked_by: str = "",
) -> Iterator[str]:
    """A replica that is not ready is skipped while another is; if none is, all are used, of a name only one.

    `ready_ports` is the port of ``/readyz`` by address; if one is unknown, there are no health checks.
    `grpc`: HTTP/2 without TLS. `checked_by`: a backend with the same replicas, whose checks count here too.
    """
    spare = _are_several(addresses) and None not in ready_ports.values()
    # HAProxy finds the server to follow by its name, which a template does not have.
    follows = spare and checked_by and not any(map(is_named, addresses))
    protocol = (" proto h2" if follows or not spare else " proto h2 check-proto h1") if grpc else ""
    if spare and not follows:
        yield "option httpchk"
        yield f"http-check send meth GET uri {READYZ}"
        yield "http-check send-state"
    names: list[str] = []
    for number, address in enumerate(addresses, 1):
        name = f"{service}-{number}"
        check = f" check port {ready_ports[address]} {_READINESS}" if spare else ""
        names += _names(name, address)
        yield f"{_server(name, address)}{f' track {checked_by}/{name}' if follows else check}{protocol}"
    if spare:  # a store's outage must not empty the pool: documents need none
        yield "option allbackups"
        for number, address in enumerate(addresses, 1):
            # Two templates of one name would share its addresses, so only one replica of a name is used then.
            again = " resolvers names init-addr none resolve-opts allow-dup-ip" if is_named(address) else ""
            yield f"server {service}-{number}-unready {address}{again} backup{protocol}"
    if (most := rules.GATHERED.get(service)) and len(names) > 1:
        yield "# The first replica that has room for one more; without any, in turn."
        yield from (f"use-server {name} if {{ srv_conn({name}) lt {most} }}" for name in names)


def _are_several(addresses: Sequence[str]) -> bool:
    return len(addresses) > 1 or any(map(is_named, addresses))


def _server(name: str, address: str) -> str:
    if is_named(address):
        return f"server-template {name}- {SLOTS} {address} resolvers names init-addr none"
    return f"server {name} {address}"


def _names(name: str, address: str) -> list[str]:
    return [f"{name}-{slot}" for slot in range(1, SLOTS + 1)] if is_named(address) else [name]


def resolved_by(resolvers: Sequence[str]) -> list[str]:
    servers = [f"nameserver dns{number} {address}" for number, address in enumerate(resolvers)]
    return [
        *(servers or ["parse-resolv-conf"]),
        "accepted_payload_size 8192",
        "resolve_retries 3",
        "timeout resolve 1s",
        "timeout retry 1s",
        *(f"hold {state} 1s" for state in ("valid", "nx", "obsolete")),
        *(f"hold {state} 30s" for state in ("other", "refused", "timeout")),
    ]


def is_named(address: str) -> bool:
    try:
        ip_address(address.rpartition(":")[0].strip("[]"))
    except ValueError:
        return True
    return False
