"""Sections of settings in modules of their own, which a service imports only where it reads them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules


def import_sections() -> None:
    """Imports every one: a setting of another service is known, so that one environment may serve all services."""
    for module in iter_modules([str(Path(__file__).parent)]):
        if module.name.endswith("_setting"):
            import_module(f"portico_runtime.{module.name}")
