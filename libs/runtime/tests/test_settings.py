"""Settings: from the environment and a directory of secrets, unknown names refused, secrets never shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from portico_runtime.settings import (
    BusSection,
    InvalidSetting,
    MongoSection,
    Section,
    ServiceSection,
    effective,
    explain,
    known_names,
    load,
)
from pydantic import ValidationError


class Composed(ServiceSection, BusSection, MongoSection):
    """What a service composes."""


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without any of our names."""
    for name in known_names() | {"PORTICO_SECRETS_DIR"}:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_a_name_no_service_knows_is_refused(environment: pytest.MonkeyPatch) -> None:
    """A typing error is found at the start and named, its value is not."""
    environment.setenv("PORTICO_MONGO_PASWORD", "planted-secret")

    with pytest.raises(InvalidSetting, match="PORTICO_MONGO_PASWORD") as refused:
        load(Composed)
    assert "planted-secret" not in str(refused.value)


def test_a_setting_of_another_service_is_no_error(environment: pytest.MonkeyPatch) -> None:
    """All services may share one environment."""
    environment.setenv("PORTICO_REDIS_URL", "redis://127.0.0.1:1")
    environment.setenv("PORTICO_STACK_ANYTHING", "1")

    assert load(Composed).port == 8000


def test_values_come_from_the_environment(environment: pytest.MonkeyPatch) -> None:
    """The prefix is cut, the rest names the field."""
    environment.setenv("PORTICO_PORT", "8123")

    assert load(Composed).port == 8123


def test_secrets_come_from_a_directory(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file for each secret, as container platforms mount them; the environment wins."""
    (tmp_path / "portico_bus_password").write_text("from-file\n")
    (tmp_path / "portico_mongo_password").write_text("from-file")
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path))
    environment.setenv("PORTICO_MONGO_PASSWORD", "from-environment")
    settings = load(Composed)

    assert settings.bus_password.get_secret_value() == "from-file"
    assert settings.mongo_password.get_secret_value() == "from-environment"


def test_a_directory_of_secrets_that_is_not_there_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A mount that failed stops the start instead of leaving every password empty (FD-17)."""
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path / "absent"))

    with pytest.raises(InvalidSetting, match="PORTICO_SECRETS_DIR"):
        load(Composed)


def test_effective_settings_show_no_secret(environment: pytest.MonkeyPatch) -> None:
    """Neither what check-settings prints nor a repr gives a secret away (IN-09)."""
    environment.setenv("PORTICO_BUS_PASSWORD", "planted-secret")
    settings = load(Composed)

    assert effective(settings)["PORTICO_BUS_PASSWORD"] == "**********"
    assert "planted-secret" not in repr(settings)


def test_a_wrong_value_is_explained_without_repeating_it(environment: pytest.MonkeyPatch) -> None:
    """The sentence names the setting; the value may be a secret put into the wrong place (IN-09)."""
    environment.setenv("PORTICO_PORT", "planted-secret")

    with pytest.raises(ValidationError) as refused:
        load(Composed)
    assert "PORTICO_PORT" in explain(refused.value)
    assert "planted-secret" not in explain(refused.value) + str(refused.value)


@pytest.mark.parametrize(
    "issuer",
    ["https://op.example.test/", "op.example.test", "https://op.example.test?x=1", "https://op.example.test#x", "https://user@op.example.test", "ftp://op.example.test", ""],
)  # fmt: skip
def test_the_issuer_is_an_address_without_slash(environment: pytest.MonkeyPatch, issuer: str) -> None:
    """Everything is compared with it byte for byte, so it has one form (P6)."""
    environment.setenv("PORTICO_ISSUER", issuer)

    with pytest.raises(ValidationError):
        load(Composed)


def test_https_makes_cookies_secure() -> None:
    """The scheme of the issuer decides, never a header (HH-01)."""
    assert ServiceSection(issuer="https://op.example.test").secure
    assert not ServiceSection(issuer="http://localhost:8080").secure


def test_every_setting_is_described() -> None:
    """The list of settings in the documentation is made of these sentences."""
    undescribed = [
        name
        for section in Section.__subclasses__()
        if section.__module__.startswith("portico_")
        for name, field in section.model_fields.items()
        if not field.description
    ]

    assert undescribed == []


@pytest.mark.parametrize("value", ["", "10.1.0.0/16", "10.1.0.0/16, fd00::/8,192.0.2.7"])
def test_trusted_proxies_are_networks(environment: pytest.MonkeyPatch, value: str) -> None:
    """Networks and addresses, comma-separated; an empty list trusts no proxy."""
    environment.setenv("PORTICO_TRUSTED_PROXIES", value)

    assert [str(network) for network in load(Composed).proxy_networks] == [
        entry.strip() if "/" in entry else f"{entry}/32" for entry in value.split(",") if entry
    ]


def test_the_list_of_the_gateway_is_read_by_services_too(environment: pytest.MonkeyPatch) -> None:
    """With spaces, as HAProxy and Caddy read it."""
    environment.setenv("PORTICO_GATEWAY_PROXIES", "10.9.0.0/16 10.8.0.1")

    assert [str(network) for network in load(Composed).forwarding_networks] == ["10.9.0.0/16", "10.8.0.1/32"]


@pytest.mark.parametrize("value", ["gateway", "10.1.0.0/33", "10.1.2.3/16", "10.1.0.0/16;10.2.0.0/16", "*"])
def test_trusted_proxies_that_are_no_networks_end_the_start(environment: pytest.MonkeyPatch, value: str) -> None:
    """A name, a wrong prefix or bits behind it: the service names the setting and does not start (HH-03)."""
    environment.setenv("PORTICO_TRUSTED_PROXIES", value)

    with pytest.raises(ValidationError) as refused:
        load(Composed)
    assert "TRUSTED_PROXIES" in explain(refused.value).upper()


def test_only_this_machine_is_trusted_without_the_setting(environment: pytest.MonkeyPatch) -> None:
    """The local gateway is trusted, and no address of a network is (HH-03)."""
    networks = [str(network) for network in load(Composed).proxy_networks]

    assert networks == ["127.0.0.0/8", "::1/128"]


def test_a_secret_that_cannot_be_read_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file of the directory that cannot be read stops the start with its name, instead of an empty password (FD-17)."""
    (tmp_path / "portico_bus_password").write_bytes(b"\xff")
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path))

    with pytest.raises(InvalidSetting, match="portico_bus_password"):
        load(Composed)


def test_names_are_read_in_either_case(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Variables and files may be written in capitals or small letters."""
    (tmp_path / "PORTICO_BUS_PASSWORD").write_text("from-file")
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path))
    environment.setenv("portico_port", "8123")
    settings = load(Composed)

    assert settings.bus_password.get_secret_value() == "from-file"
    assert settings.port == 8123


def test_a_setting_of_another_service_is_known_whatever_is_imported() -> None:
    """One environment may serve all services: a fresh process knows settings whose section it never imported."""
    code = "from portico_runtime.settings import known_names; print(*known_names())"
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert {"PORTICO_STEP_UP", "PORTICO_CONSOLE_SERVICE_URL", "PORTICO_SESSION_SECONDS"} <= set(known)
