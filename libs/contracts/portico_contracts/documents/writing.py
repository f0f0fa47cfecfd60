"""Writes a document of ``portico apply`` as YAML, without defaults; comments name data it cannot contain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, Final

import msgspec
import yaml

Comments = Mapping[str, Sequence[str]]

_BLOCK: Final = re.compile(r"(?:[!-~][ -~]*\n)+")
"""Text in literal style: the lines of a PEM file."""

_VARIABLE: Final = re.compile(r"\$\{([^{}]*)\}")
_STEP: Final = "  "


def mapping_lines(value: msgspec.Struct, indent: str = "", comments: Comments | None = None) -> Iterator[str]:
    for field in _fields(type(value)):
        member = getattr(value, field.name)
        if member is None or member == field.default:
            continue
        yield from _member(f"{indent}{field.encode_name}:", member, indent, comments or {})


@cache
def _fields(declared: type[msgspec.Struct]) -> Sequence[msgspec.structs.FieldInfo]:
    """Cached, because msgspec evaluates the annotations of the class each time."""
    return sorted(msgspec.structs.fields(declared), key=lambda field: field.name != "id")


def item_lines(value: msgspec.Struct, indent: str, comments: Comments) -> Iterator[str]:
    for text in comments.get(getattr(value, "id", None) or "", ()):
        yield f"{indent}# {text}"
    dash = f"{indent}- "
    for line in mapping_lines(value, indent + _STEP, comments):
        yield dash + line[len(dash) :]
        dash = indent + _STEP


def _member(start: str, value: Any, indent: str, comments: Comments) -> Iterator[str]:
    match value:
        case msgspec.Struct():
            inner = list(mapping_lines(value, indent + _STEP, comments))
            yield from [start, *inner] if inner else [f"{start} {{}}"]
        case tuple() if value and isinstance(value[0], msgspec.Struct):
            yield start
            for item in value:
                yield from item_lines(item, indent + _STEP, comments)
        case tuple():
            yield f"{start} [{', '.join(_one_line([_plain(item)])[1:-1] for item in value)}]"
        case dict():
            yield start if value else f"{start} {{}}"
            for key, item in value.items():
                yield from _scalar(f"{indent}{_STEP}{_one_line(key)}:", item, indent + _STEP)
        case _:
            yield from _scalar(start, value, indent)


def _scalar(start: str, value: Any, indent: str) -> Iterator[str]:
    plain = _plain(value)
    if isinstance(plain, str) and _BLOCK.fullmatch(plain):
        yield f"{start} |"
        yield from (f"{indent}{_STEP}{line}" for line in plain.splitlines())
    else:
        yield f"{start} {_one_line(plain)}"


def _plain(value: Any) -> Any:
    text = value.value if isinstance(value, Enum) else value
    return _VARIABLE.sub(lambda found: f"${found.group(0)}", text) if isinstance(text, str) else text


def _one_line(value: Any) -> str:
    texts = value if isinstance(value, list) else [value]
    # Quoted style, because any other would fold line breaks.
    style = None if all(text.isprintable() for text in texts if isinstance(text, str)) else '"'
    text = str(
        yaml.safe_dump(value, default_style=style, default_flow_style=True, allow_unicode=True, width=float("inf"))
    )
    return text.removesuffix("\n").removesuffix("\n...")
