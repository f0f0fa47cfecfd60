"""Kubernetes injects variables for Services named portico and portico-…; they are not settings."""

from __future__ import annotations

import pytest
from portico_runtime.settings.loading import known_names, load
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.service_links import service_links


class Composed(ServiceSection, BusSection):
    pass


INJECTED = {
    "PORTICO_TOKEN_SERVICE_HOST": "10.96.0.11",
    "PORTICO_TOKEN_SERVICE_PORT": "8000",
    "PORTICO_TOKEN_SERVICE_PORT_HTTP": "8000",
    "PORTICO_TOKEN_PORT": "tcp://10.96.0.11:8000",
    "PORTICO_TOKEN_PORT_8000_TCP": "tcp://10.96.0.11:8000",
    "PORTICO_TOKEN_PORT_8000_TCP_PROTO": "tcp",
    "PORTICO_TOKEN_PORT_8000_TCP_PORT": "8000",
    "PORTICO_TOKEN_PORT_8000_TCP_ADDR": "10.96.0.11",
    "PORTICO_SERVICE_HOST": "fd00::12",
    "PORTICO_SERVICE_PORT": "80",
    "PORTICO_PORT": "tcp://[fd00::12]:80",
    "PORTICO_PORT_80_TCP": "tcp://[fd00::12]:80",
    "PORTICO_PORT_80_TCP_PROTO": "tcp",
    "PORTICO_PORT_80_TCP_PORT": "80",
    "PORTICO_PORT_80_TCP_ADDR": "fd00::12",
}
"""As kubelet writes them, for an IPv4 and an IPv6 Service."""


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in known_names() | {"PORTICO_SECRETS_DIR"}:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_service_starts_in_a_pod_with_service_links(environment: pytest.MonkeyPatch) -> None:
    """A Service called portico injects a variable with the name of a setting."""
    for name, value in INJECTED.items():
        environment.setenv(name, value)

    assert load(Composed).port == 8000


def test_numeric_port_is_a_setting(environment: pytest.MonkeyPatch) -> None:
    for name, value in (INJECTED | {"PORTICO_PORT": "8123"}).items():
        environment.setenv(name, value)

    assert load(Composed).port == 8123


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORTICO_TOKEN_SERVICE_HOST", "token.example"),
        ("PORTICO_TOKEN_SERVICE_PORT", "http"),
        ("PORTICO_TOKEN_PORT", "tcp://10.96.0.99:8000"),
        ("PORTICO_TOKEN_PORT_8000_TCP", "http://10.96.0.11:8000"),
        ("PORTICO_TOKEN_PORT_8000_TCP_PROTO", "quic"),
        ("PORTICO_TOKEN_PORT_8000_TCP_ADDR", "10.96.0.12"),
        ("PORTICO_TOKEN_SECRET", "10.96.0.11"),
        ("PORTICO_AUTHZ_SERVICE_PORT", "8000"),
    ],
)
def test_unknown_name_is_refused(environment: pytest.MonkeyPatch, name: str, value: str) -> None:
    """A misspelt setting that looks like a service link is refused."""
    for each, usual in (INJECTED | {name: value}).items():
        environment.setenv(each, usual)

    assert name not in service_links(INJECTED | {name: value})
    with pytest.raises(InvalidSetting, match=name):
        load(Composed)
