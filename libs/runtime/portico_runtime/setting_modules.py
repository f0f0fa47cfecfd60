from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules


def import_sections() -> None:
    """Imports all of them, so that the settings of other services are known and one environment can serve all."""
    for module in iter_modules([str(Path(__file__).parent)]):
        if module.name.endswith("_setting"):
            import_module(f"portico_runtime.{module.name}")
