"""The choice of the gateway program of a local stack."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_stack.machine.binaries import ProgramMissing, find_haproxy
from portico_stack.servers.caddy import CaddyServer
from portico_stack.servers.gateway_choice import choose_gateway
from portico_stack.servers.haproxy import HaproxyServer


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the environment's choice of a gateway."""
    monkeypatch.delenv("PORTICO_STACK_GATEWAY", raising=False)


def _program(path: Path, said: str) -> str:
    path.write_text(f"#!/bin/sh\necho '{said}'\n")
    path.chmod(0o700)
    return str(path)


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("HAProxy version 2.6.0 2022/05/31 - https://haproxy.org/", HaproxyServer),
        ("HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/", HaproxyServer),
        ("HAProxy version 3.2.4-98813a1 2025/08/13 - https://haproxy.org/", HaproxyServer),
        ("HA-Proxy version 2.2.9-2+deb11u6 2023/12/02 - https://haproxy.org/", CaddyServer),
        ("something else", CaddyServer),
    ],
)
def test_suitable_haproxy_is_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, chosen: type
) -> None:
    """HAProxy 2.6 and newer is used if found, and otherwise Caddy."""
    monkeypatch.setenv("PORTICO_STACK_HAPROXY", _program(tmp_path / "haproxy", said))

    assert choose_gateway("") is chosen


def test_without_haproxy_the_gateway_is_caddy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without HAProxy the stack runs with Caddy, and an explicit HAProxy is refused with the missing program."""
    monkeypatch.setenv("PORTICO_STACK_HAPROXY", str(tmp_path / "none"))

    assert choose_gateway("") is CaddyServer
    with pytest.raises(ProgramMissing, match=r"HAProxy 2\.6 or newer not found at .*GATEWAY=caddy"):
        find_haproxy()


def test_option_and_environment_choose_the_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option overrides the environment, and an unknown gateway is refused."""
    monkeypatch.setenv("PORTICO_STACK_GATEWAY", "caddy")

    assert choose_gateway("") is CaddyServer
    assert choose_gateway("haproxy") is HaproxyServer
    with pytest.raises(ProgramMissing, match=r"'nginx' is not a gateway\. Use haproxy or caddy"):
        choose_gateway("nginx")


@pytest.mark.servers
def test_gateway_version_is_printed(tmp_path: Path) -> None:
    """`portico up` prints the gateway and its version for problem reports."""
    haproxy, caddy = (server(tmp_path, 1, 2, {}).described for server in (HaproxyServer, CaddyServer))

    assert haproxy.startswith(("HAProxy 2.", "HAProxy 3."))
    assert caddy.startswith("Caddy 2.")
