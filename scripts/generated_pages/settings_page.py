"""docs/generated/settings.md: every setting of every service."""

from __future__ import annotations

import importlib
import re
from types import ModuleType
from typing import Final

from portico_contracts.catalogue import SERVICES
from portico_runtime.settings import PREFIX, Section
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from generated_pages.markdown import code, first_line, page_of, table

_OURS: Final = "portico_runtime."


def settings_page() -> str:
    users = _users()
    sections: list[str] = []
    for section in Section.__subclasses__():
        if section.__module__.startswith(_OURS):
            names = ", ".join(name for name, kind in users.items() if issubclass(kind, section))
            sections += [
                f"## {_title(section.__name__.removesuffix('Section'))}",
                first_line(section.__doc__),
                f"Read by: {names}.",
            ]
            sections.append(table(["Name", "Default", "Meaning"], map(_row, section.model_fields.items())))
    return page_of(
        "Settings",
        "Set them as environment variables, or secrets as files `portico_<name>` in the directory `PORTICO_SECRETS_DIR`. "
        "An unknown `PORTICO_*` variable is an error. "
        "`python -m portico_<service> check-settings` prints the effective settings, without secrets.",
        *sections,
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


def _title(name: str) -> str:
    """Words of a class name; names of products and abbreviations are written as such."""
    named = {
        "Grpc": "gRPC",
        "Bus": "NATS",
        "Mongo": "MongoDB",
        "LoginApi": "Login API",
        "OwnClients": "Built-in clients",
    }
    return named.get(name) or " ".join(re.findall("[A-Z][a-z]+", name)).capitalize()
