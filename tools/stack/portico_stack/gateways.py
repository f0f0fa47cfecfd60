"""The programs that can be the gateway, and which one a stack starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from portico_stack.binaries import ProgramMissing, find_haproxy
from portico_stack.servers.caddy import CaddyServer
from portico_stack.servers.gateway import GatewayServer
from portico_stack.servers.haproxy import HaproxyServer

GATEWAYS: Final[Mapping[str, type[GatewayServer]]] = {server.kind: server for server in (HaproxyServer, CaddyServer)}

VARIABLE: Final = "PORTICO_STACK_GATEWAY"
"""Chooses one where no option does."""


def choose_gateway(named: str) -> type[GatewayServer]:
    """The one that is named, here or by the environment, else HAProxy where a fitting one is installed, else Caddy.

    Raises:
        ProgramMissing: for a word that names none.
    """
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
