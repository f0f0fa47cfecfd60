from __future__ import annotations

import subprocess
import sys
from typing import Any, Final

import pytest
from portico_runtime.process.memory.docstrings import without_docstrings

SOURCE: Final = '''"""Of the module."""

class Plain:
    """Of a class."""

    def method(self):
        """Of a method."""

        async def inner():
            """Of an inner function."""

        return inner

class Derived:
    __doc__ = "with " + str(1)

class Same:
    """name"""

    name = "name"

def same():
    """value"""
    return "value"

listed = ["text" for _ in range(1)]
lazy = lambda: "text"
'''


@pytest.fixture
def names() -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(without_docstrings(compile(SOURCE, "example.py", "exec")), found)  # noqa: S102
    return found


def test_docstrings_are_removed(names: dict[str, Any]) -> None:
    plain = names["Plain"]
    assert {names["__doc__"], plain.__doc__, plain.method.__doc__, plain().method().__doc__} == {None}


def test_strings_that_are_used_remain(names: dict[str, Any]) -> None:
    assert (names["same"](), names["listed"], names["lazy"]()) == ("value", ["text"], "text")
    assert (names["Derived"].__doc__, names["Same"].name) == ("with 1", "name")


def test_modules_are_imported_without_docstrings() -> None:
    script = "import portico_runtime.process.memory.docstrings as d; d.leave_out_docstrings(); import fractions as f; print(f.Fraction.__doc__)"
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True).stdout
    assert printed == "None\n"
