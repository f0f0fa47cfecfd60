"""The descriptions of the .proto files at run time: help texts of forms that are generated from the descriptors."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


def field_text(name: str) -> str:
    """What a message, field, enum, value, service or method is for, in English; empty for a name that is none of ours.

    Args:
        name: the full name, as descriptors have it: ``portico.v1.ListQuery.offset``. The name of a value includes that of
            its enum: ``portico.v1.TextQueryMethod.TEXT_QUERY_METHOD_EQUALS``.
    """
    return _texts().get(name, "")


@cache
def _texts() -> dict[str, str]:
    """Read when the first text is needed, and once."""
    stored = files("portico_contracts").joinpath("generated", "field_texts.json").read_bytes()
    return msgspec.json.decode(stored, type=dict[str, str])
