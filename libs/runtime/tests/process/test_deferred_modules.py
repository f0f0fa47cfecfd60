from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

import pytest
from portico_runtime.process.memory.deferred_modules import DEFERRED_MODULES, defer_modules

NAME: Final = "example_of_a_deferred_module"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "__init__.py").write_text("from . import used, whole\nVALUE = whole.VALUE\n")
    (folder / "used.py").write_text(f"from {NAME} import helper\n")
    (folder / "helper.py").touch()
    (folder / "whole.py").write_text("VALUE = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    defer_modules({NAME})
    yield import_module(NAME)
    for name in [name for name in sys.modules if name.startswith(NAME)]:
        del sys.modules[name]


def test_submodule_is_imported_without_the_package(package: ModuleType) -> None:
    import_module(f"{NAME}.used")
    assert package.used.helper is sys.modules[f"{NAME}.helper"]
    assert f"{NAME}.whole" not in sys.modules


def test_attribute_of_the_package_runs_its_init(package: ModuleType) -> None:
    assert package.VALUE == 7
    with pytest.raises(AttributeError, match="MISSING"):
        _ = package.MISSING


@pytest.mark.parametrize("name", DEFERRED_MODULES)
def test_no_attribute_has_the_name_of_a_submodule(name: str) -> None:
    """A deferred package resolves the names of its submodules first."""
    package = pytest.importorskip(name)
    submodules = {found.name for found in iter_modules(getattr(package, "__path__", ()))}
    others = {each for each in submodules & vars(package).keys() if not isinstance(vars(package)[each], ModuleType)}
    assert others == ({"main"} if name == "uvicorn" else set())  # nothing here calls uvicorn.main
