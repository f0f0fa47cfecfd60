from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from portico_stack.machine.binaries import ProgramMissing, find_haproxy
from portico_stack.servers.caddy import CaddyServer
from portico_stack.servers.gateway import GatewayServer
from portico_stack.servers.haproxy import HaproxyServer

GATEWAYS: Final[Mapping[str, type[GatewayServer]]] = {server.kind: server for server in (HaproxyServer, CaddyServer)}

VARIABLE: Final = "PORTICO_STACK_GATEWAY"
"""Environment variable that selects the gateway by default."""


def choose_gateway(named: str) -> type[GatewayServer]:
    """The named gateway, else HAProxy if a supported version is installed, else Caddy."""
    word = named or os.environ.get(VARIABLE, "")
    if word in GATEWAYS:
        return GATEWAYS[word]
    if word:
        raise ProgramMissing(f"{word!r} is not a gateway. Use {' or '.join(GATEWAYS)}.")
    try:
        find_haproxy()
    except ProgramMissing:
        return CaddyServer
    return HaproxyServer
