from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import pytest
from portico_runtime.settings import sections
from portico_runtime.settings.loading import all_sections, effective, explain, known_names, load
from portico_runtime.settings.section import InvalidSetting, Section
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.service import ServiceSection
from pydantic import ValidationError


class Composed(ServiceSection, BusSection, MongoSection):
    pass


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in known_names() | {"PORTICO_SECRETS_DIR"}:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_unknown_setting_is_refused(environment: pytest.MonkeyPatch) -> None:
    """The error names the setting but not its value."""
    environment.setenv("PORTICO_MONGO_PASWORD", "planted-secret")

    with pytest.raises(InvalidSetting, match="PORTICO_MONGO_PASWORD") as refused:
        load(Composed)
    assert "planted-secret" not in str(refused.value)


def test_settings_of_other_services_are_ignored(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PORTICO_REDIS_URL", "redis://127.0.0.1:1")
    environment.setenv("PORTICO_STACK_ANYTHING", "1")

    assert load(Composed).port == 8000


def test_values_come_from_the_environment(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PORTICO_PORT", "8123")

    assert load(Composed).port == 8123


def test_secrets_come_from_a_directory(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The directory has one file per secret, and the environment takes precedence."""
    (tmp_path / "portico_bus_password").write_text("from-file\n")
    (tmp_path / "portico_mongo_password").write_text("from-file")
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path))
    environment.setenv("PORTICO_MONGO_PASSWORD", "from-environment")
    settings = load(Composed)

    assert settings.bus_password.get_secret_value() == "from-file"
    assert settings.mongo_password.get_secret_value() == "from-environment"


def test_missing_secrets_directory_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A failed mount stops the start instead of leaving every password empty (FD-17)."""
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path / "absent"))

    with pytest.raises(InvalidSetting, match="PORTICO_SECRETS_DIR"):
        load(Composed)


def test_effective_settings_show_no_secret(environment: pytest.MonkeyPatch) -> None:
    """Neither check-settings nor a repr shows a secret (IN-09)."""
    environment.setenv("PORTICO_BUS_PASSWORD", "planted-secret")
    settings = load(Composed)

    assert effective(settings)["PORTICO_BUS_PASSWORD"] == "**********"
    assert "planted-secret" not in repr(settings)


def test_invalid_value_is_not_repeated(environment: pytest.MonkeyPatch) -> None:
    """The error names the setting but not its value, which may be a misplaced secret (IN-09)."""
    environment.setenv("PORTICO_PORT", "planted-secret")

    with pytest.raises(ValidationError) as refused:
        load(Composed)
    assert "PORTICO_PORT" in explain(refused.value)
    assert "planted-secret" not in explain(refused.value) + str(refused.value)


@pytest.mark.parametrize(
    "issuer",
    ["https://op.example.test/", "op.example.test", "https://op.example.test?x=1", "https://op.example.test#x", "https://user@op.example.test", "ftp://op.example.test", ""],
)  # fmt: skip
def test_issuer_has_no_trailing_slash(environment: pytest.MonkeyPatch, issuer: str) -> None:
    """The issuer is compared byte for byte, so it has one spelling (P6)."""
    environment.setenv("PORTICO_ISSUER", issuer)

    with pytest.raises(ValidationError):
        load(Composed)


def test_https_issuer_makes_cookies_secure() -> None:
    """The scheme of the issuer decides, never a request header (HH-01)."""
    assert ServiceSection(issuer="https://op.example.test").secure
    assert not ServiceSection(issuer="http://localhost:8080").secure


def test_every_setting_has_a_description() -> None:
    undescribed = [
        name for section in all_sections() for name, field in section.model_fields.items() if not field.description
    ]

    assert undescribed == []


@pytest.mark.parametrize("value", ["", "10.1.0.0/16", "10.1.0.0/16, fd00::/8,192.0.2.7"])
def test_trusted_proxies_are_networks(environment: pytest.MonkeyPatch, value: str) -> None:
    """An empty list trusts no proxy."""
    environment.setenv("PORTICO_TRUSTED_PROXIES", value)

    assert [str(network) for network in load(Composed).proxy_networks] == [
        entry.strip() if "/" in entry else f"{entry}/32" for entry in value.split(",") if entry
    ]


def test_trusted_proxies_may_be_separated_by_spaces(environment: pytest.MonkeyPatch) -> None:
    """The gateway's list in the syntax of HAProxy and Caddy is accepted."""
    environment.setenv("PORTICO_GATEWAY_PROXIES", "10.9.0.0/16 10.8.0.1")

    assert [str(network) for network in load(Composed).forwarding_networks] == ["10.9.0.0/16", "10.8.0.1/32"]


@pytest.mark.parametrize("value", ["gateway", "10.1.0.0/33", "10.1.2.3/16", "10.1.0.0/16;10.2.0.0/16", "*"])
def test_invalid_trusted_proxies_stop_the_start(environment: pytest.MonkeyPatch, value: str) -> None:
    """A host name, an invalid prefix or host bits are refused, and the error names the setting (HH-03)."""
    environment.setenv("PORTICO_TRUSTED_PROXIES", value)

    with pytest.raises(ValidationError) as refused:
        load(Composed)
    assert "TRUSTED_PROXIES" in explain(refused.value).upper()


def test_only_loopback_is_trusted_by_default(environment: pytest.MonkeyPatch) -> None:
    """The local gateway is trusted, and no address of a network is (HH-03)."""
    networks = [str(network) for network in load(Composed).proxy_networks]

    assert networks == ["127.0.0.0/8", "::1/128"]


def test_unreadable_secret_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An unreadable secret file stops the start with its name instead of leaving the password empty (FD-17)."""
    (tmp_path / "portico_bus_password").write_bytes(b"\xff")
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path))

    with pytest.raises(InvalidSetting, match="portico_bus_password"):
        load(Composed)


def test_names_are_case_insensitive(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "PORTICO_BUS_PASSWORD").write_text("from-file")
    environment.setenv("PORTICO_SECRETS_DIR", str(tmp_path))
    environment.setenv("portico_port", "8123")
    settings = load(Composed)

    assert settings.bus_password.get_secret_value() == "from-file"
    assert settings.port == 8123


def test_settings_of_other_services_need_no_import() -> None:
    """A fresh process knows the settings of sections that it never imported."""
    names = ("PORTICO_STEP_UP", "PORTICO_CONSOLE_SERVICE_URL", "PORTICO_SESSION_SECONDS", "PORTICO_STEP_UPP")
    code = f"from portico_runtime.settings.loading import unknown_names; print(*unknown_names({names}))"
    unknown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert unknown == ["PORTICO_STEP_UPP"]


def test_every_section_is_known_to_all_services() -> None:
    """A section below another one would be unknown to the services without it, so that they do not start with its settings."""
    modules = [importlib.import_module(f"{sections.__name__}.{one.name}") for one in iter_modules(sections.__path__)]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, type)}

    assert {one for one in found if issubclass(one, Section) and one is not Section} <= {*all_sections()}
