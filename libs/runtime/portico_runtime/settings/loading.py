"""Where the value of a setting comes from.

A value comes from the environment variable ``PORTICO_<NAME>`` or, mainly for secrets, from a file
``portico_<name>`` in the directory ``PORTICO_SECRETS_DIR``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final, TypeVar

from pydantic import ValidationError

from portico_runtime.settings import sections
from portico_runtime.settings.section import PREFIX, InvalidSetting, Section
from portico_runtime.settings.service_links import service_links

_NOT_OURS: Final = frozenset({"PORTICO_SECRETS_DIR"})
_STACK_PREFIXES: Final = ("PORTICO_STACK_", "PORTICO_DEMO_", "PORTICO_TEST_")
"""Names used by `make up`, its demo document and the tests."""


SettingsOf = TypeVar("SettingsOf", bound=Section)


class UnknownSetting(InvalidSetting):
    """A PORTICO_* name that no service knows, most likely a typo."""


def load(kind: type[SettingsOf]) -> SettingsOf:
    """Raises InvalidSetting for an unknown ``PORTICO_*`` variable and an unusable secrets directory."""
    _refuse_unknown(linked := service_links(os.environ))
    directory = os.environ.get("PORTICO_SECRETS_DIR")
    if directory and not Path(directory).is_dir():
        raise InvalidSetting("PORTICO_SECRETS_DIR is not a directory")
    files = {path.name.upper(): path for path in Path(directory).iterdir()} if directory else {}
    variables = {name.upper(): value for name, value in os.environ.items() if name not in linked}
    given: dict[str, str] = {}
    for field in kind.model_fields:
        name = f"{PREFIX}{field.upper()}"
        if name in variables:
            given[field] = variables[name]
        elif name in files:
            given[field] = _read_file(files[name])
    return kind.model_validate(given)


def all_sections() -> list[type[Section]]:
    """Imports those of other services too, so that their settings are known and one environment can serve all."""
    for module in iter_modules(sections.__path__):
        import_module(f"{sections.__name__}.{module.name}")
    return Section.__subclasses__()


def known_names() -> frozenset[str]:
    return _names_of(all_sections())


def unknown_names(names: Iterable[str]) -> list[str]:
    """Returns the ``PORTICO_*`` names that no service and no command of this release knows, sorted."""
    loaded = _names_of(Section.__subclasses__()) | _NOT_OURS
    others = {name for name in names if name.startswith(PREFIX) and not name.startswith(_STACK_PREFIXES)} - loaded
    # The sections of other services take 0.5 MiB; mostly no name is of them.
    return sorted(others - known_names()) if others else []


def _names_of(kinds: Iterable[type[Section]]) -> frozenset[str]:
    return frozenset(f"{PREFIX}{name.upper()}" for kind in kinds for name in kind.model_fields)


def effective(settings: Section) -> dict[str, str]:
    """The effective values by environment name, with secrets masked: the output of ``check-settings``."""
    return {f"{PREFIX}{name.upper()}": str(value) for name, value in sorted(settings.model_dump().items())}


def explain(error: ValidationError) -> str:
    """Formats invalid settings by environment name; never the values, which may be secrets."""
    return " ".join(
        f"{PREFIX}{'_'.join(str(part) for part in problem['loc']).upper()}: {problem['msg'].removeprefix('Value error, ')}"
        for problem in error.errors(include_url=False, include_context=False, include_input=False)
    )


def _read_file(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise InvalidSetting(f"{path.name} in PORTICO_SECRETS_DIR cannot be read: {type(error).__name__}") from error


def _refuse_unknown(linked: frozenset[str]) -> None:
    if unknown := unknown_names(set(os.environ) - linked):
        raise UnknownSetting(f"unknown setting {', '.join(unknown)}")
