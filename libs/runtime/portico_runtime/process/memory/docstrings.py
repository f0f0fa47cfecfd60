"""Imports modules without their docstrings, a twentieth of a service's memory (decision 0044).

``python -OO`` would also remove assertions, which some libraries rely on.
"""

from __future__ import annotations

import opcode
import sys
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader
from types import CodeType
from typing import Final

_FUNCTION: Final = 2
"""The flag ``CO_NEWLOCALS``; `inspect` is a large import."""

_BYTE: Final = range(256)


def leave_out_docstrings() -> None:
    """Call before importing other modules; those imported already keep theirs."""
    loaders = ((ExtensionFileLoader, EXTENSION_SUFFIXES), (_Loader, SOURCE_SUFFIXES))
    sys.path_hooks.insert(0, FileFinder.path_hook(*loaders))
    sys.path_importer_cache.clear()


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        code = super().get_code(fullname)
        return without_docstrings(code) if code else None


def without_docstrings(code: CodeType) -> CodeType:
    constants = [without_docstrings(each) if type(each) is CodeType else each for each in code.co_consts]
    index = _of_function(code) if code.co_flags & _FUNCTION else _of_body(code)
    if index is not None:
        constants[index] = None
    if all(new is old for new, old in zip(constants, code.co_consts, strict=True)):
        return code
    return code.replace(co_consts=tuple(constants))


def _of_function(code: CodeType) -> int | None:
    """Returns the index of the docstring: the first constant, if no instruction uses it."""
    if not code.co_consts or type(code.co_consts[0]) is not str:
        return None
    return None if _is_used(code.co_code, 0) else 0


def _of_body(code: CodeType) -> int | None:
    """Returns the index of the constant that a class or a module stores as ``__doc__`` and does not use otherwise."""
    name = code.co_names.index("__doc__") if "__doc__" in code.co_names else -1
    if name not in _BYTE:
        return None
    instructions = code.co_code
    place = _find(instructions, opcode.opmap["STORE_NAME"], name)
    operation, index = instructions[place - 2 : place] if place > 0 else (0, 0)
    if operation not in opcode.hasconst or type(code.co_consts[index]) is not str:
        return None
    return None if _is_used(instructions[: place - 2] + instructions[place:], index) else index


def _is_used(instructions: bytes, constant: int) -> bool:
    return any(_find(instructions, operation, constant) >= 0 for operation in opcode.hasconst)


def _find(instructions: bytes, operation: int, argument: int) -> int:
    """Each instruction has two bytes."""
    pair = bytes((operation, argument))
    place = instructions.find(pair)
    while place % 2 and place > 0:
        place = instructions.find(pair, place + 1)
    return place
