"""Compiles test modules, with rewritten assertions, and the libraries they import.

Python and pytest store what they compile. On a fresh clone all workers begin with the same module, and each of them
would compile everything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Final

from _pytest.assertion import AssertionState
from _pytest.assertion.rewrite import PYC_TAIL, _read_pyc, _rewrite_test, _write_pyc, get_cache_dir
from _pytest.config import get_config

_PATTERNS: Final = ("test_*.py", "conftest.py")


_IMPORTED: Final = (
    *(f"portico_{service}.app" for service in ("authz", "console", "keys", "login_ui", "token", "users")),
    "hypothesis",
    "playwright.async_api",
    "portico_fakes.plugin",
    "portico_harness.plugin",
)


def rewrite(folders: list[Path]) -> int:
    """Returns how many test modules were compiled; those with a current cache are left."""
    config = get_config()
    state = AssertionState(config, "rewrite")
    rewritten = 0
    for module in _modules(folders):
        folder = get_cache_dir(module)
        stored = folder / (module.name.removesuffix(".py") + PYC_TAIL)
        if _read_pyc(module, stored) is None:
            folder.mkdir(exist_ok=True)
            source_hash, code = _rewrite_test(module, config)
            rewritten += _write_pyc(state, code, source_hash, stored)
    return rewritten


def _modules(folders: list[Path]) -> Iterator[Path]:
    """Never looks into node_modules, which may be installed at the same time."""
    for top in folders:
        for folder, inside, files in os.walk(top):
            inside[:] = [name for name in inside if name != "node_modules"]
            for name in files:
                if any(fnmatch(name, pattern) for pattern in _PATTERNS):
                    yield Path(folder, name)


if __name__ == "__main__":
    rewrite([Path(folder) for folder in sys.argv[1:]])
    for name in _IMPORTED:
        import_module(name)
