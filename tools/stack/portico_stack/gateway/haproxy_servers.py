"""The replicas in HAProxy's configuration: how they are found, checked and chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.topology import READYZ

_SLOTS: Final = 16
"""Replicas of one service that are found by DNS."""

_READINESS: Final = "inter 500ms fall 2 rise 1 observe layer7 error-limit 3 on-error mark-down"
"""A replica that three answers in a row are refused by is passed over at once, until it is ready."""


def servers(
    service: str, addresses: Sequence[str], ready_ports: Mapping[str, int | None], *, grpc: bool = False
) -> Iterator[str]:
    """The lines of a backend that name its replicas, and which of them gets a request.

    A replica that is not ready is passed over while another is; where none is all are asked, of a name one.

    Args:
        addresses: with ports; one that begins with a name leads to any number of replicas.
        ready_ports: by address, the port of ``/readyz``; where one is not known no replica is asked.
        grpc: they speak HTTP/2 without TLS.
    """
    protocol = " proto h2 check-proto h1" if grpc else ""
    spare = _are_several(addresses) and None not in ready_ports.values()
    if spare:
        yield "option httpchk"
        yield f"http-check send meth GET uri {READYZ}"
    names: list[str] = []
    for number, address in enumerate(addresses, 1):
        check = f" check port {ready_ports[address]} {_READINESS}" if spare else ""
        names += _names(f"{service}-{number}", address)
        yield f"{_server(f'{service}-{number}', address)}{check}{protocol}"
    if spare:  # a store's outage must not empty the pool: documents need none
        yield "option allbackups"
        for number, address in enumerate(addresses, 1):
            # Two templates of one name would share its addresses, so that of a name one replica is asked then.
            again = " resolvers names init-addr none resolve-opts allow-dup-ip" if is_named(address) else ""
            yield f"server {service}-{number}-unready {address}{again} backup{protocol}"
    if (most := rules.GATHERED.get(service)) and len(names) > 1:
        yield "# The first replica that has room for one more; without any, in turn."
        yield from (f"use-server {name} if {{ srv_conn({name}) lt {most} }}" for name in names)


def _are_several(addresses: Sequence[str]) -> bool:
    return len(addresses) > 1 or any(map(is_named, addresses))


def _server(name: str, address: str) -> str:
    if is_named(address):
        return f"server-template {name}- {_SLOTS} {address} resolvers names init-addr none"
    return f"server {name} {address}"


def _names(name: str, address: str) -> list[str]:
    return [f"{name}-{slot}" for slot in range(1, _SLOTS + 1)] if is_named(address) else [name]


def is_named(address: str) -> bool:
    """Whether an address with a port begins with a name, which DNS knows the replicas of."""
    try:
        ip_address(address.rpartition(":")[0].strip("[]"))
    except ValueError:
        return True
    return False
