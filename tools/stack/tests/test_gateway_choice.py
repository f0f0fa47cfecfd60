"""Which program is the gateway of a local stack."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_stack.binaries import ProgramMissing, find_haproxy
from portico_stack.gateways import choose_gateway
from portico_stack.servers.caddy import CaddyServer
from portico_stack.servers.haproxy import HaproxyServer


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of a run may choose; these tests choose themselves."""
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
def test_haproxy_is_the_gateway_where_a_fitting_one_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, chosen: type
) -> None:
    """HAProxy 2.6 and newer understand the configuration; with an older one or none the gateway is Caddy."""
    monkeypatch.setenv("PORTICO_STACK_HAPROXY", _program(tmp_path / "haproxy", said))

    assert choose_gateway("") is chosen


def test_without_haproxy_the_gateway_is_caddy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing but the wheels runs everything; without HAProxy its name is refused, with what is missing."""
    monkeypatch.setenv("PORTICO_STACK_HAPROXY", str(tmp_path / "none"))

    assert choose_gateway("") is CaddyServer
    with pytest.raises(ProgramMissing, match=r"HAProxy 2\.6 or newer not found at .*GATEWAY=caddy"):
        find_haproxy()


def test_option_and_environment_choose_the_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option comes before the environment, and a word that names no gateway is refused."""
    monkeypatch.setenv("PORTICO_STACK_GATEWAY", "caddy")

    assert choose_gateway("") is CaddyServer
    assert choose_gateway("haproxy") is HaproxyServer
    with pytest.raises(ProgramMissing, match=r"'nginx' is not a gateway\. Use haproxy or caddy"):
        choose_gateway("nginx")


@pytest.mark.servers
def test_both_gateways_tell_their_version(tmp_path: Path) -> None:
    """`portico up` prints which program is in front, so that a report of a problem can name it."""
    haproxy, caddy = (server(tmp_path, 1, 2, {}).described for server in (HaproxyServer, CaddyServer))

    assert haproxy.startswith(("HAProxy 2.", "HAProxy 3."))
    assert caddy.startswith("Caddy 2.")
