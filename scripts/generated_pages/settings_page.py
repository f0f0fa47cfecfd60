"""docs/generated/settings.md: every setting of every service."""

from __future__ import annotations

import importlib
import re
from types import ModuleType

from portico_contracts.catalogue import SERVICES
from portico_runtime.settings.loading import all_sections
from portico_runtime.settings.section import PREFIX, Section
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from generated_pages.markdown import code, first_line, page_of, table


def settings_page() -> str:
    users = _users()
    parts: list[str] = []
    for section in sorted(all_sections(), key=lambda one: _title(one).lower()):
        names = ", ".join(name for name, kind in users.items() if issubclass(kind, section))
        parts += [f"## {_title(section)}", first_line(section.__doc__), f"Read by: {names}."]
        parts.append(table(["Name", "Default", "Meaning"], map(_row, section.model_fields.items())))
    return page_of(
        "Settings",
        "Set them as environment variables, or secrets as files `portico_<name>` in the directory `PORTICO_SECRETS_DIR`. "
        "An unknown `PORTICO_*` variable is an error. "
        "`python -m portico_<service> check-settings` prints the effective settings, without secrets.",
        *parts,
    )


def _users() -> dict[str, type[Section]]:
    return {
        name: _settings_of(importlib.import_module(f"portico_{name.replace('-', '_')}.settings")) for name in SERVICES
    }


def _settings_of(module: ModuleType) -> type[Section]:
    [found] = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Section) and value.__module__ == module.__name__
    ]
    return found


def _row(named: tuple[str, FieldInfo]) -> list[str]:
    name, field = named
    return [code(PREFIX + name.upper()), _default(field.default), field.description or ""]


def _default(value: object) -> str:
    return "" if isinstance(value, SecretStr) else code(str(value))


def _title(section: type[Section]) -> str:
    """Words of a class name; names of products and abbreviations are written as such."""
    named = {
        "Grpc": "gRPC",
        "Bus": "NATS",
        "Mongo": "MongoDB",
        "LoginApi": "Login API",
        "OwnClients": "Built-in clients",
    }
    name = section.__name__.removesuffix("Section")
    return named.get(name) or " ".join(re.findall("[A-Z][a-z]+", name)).capitalize()
