from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


def field_text(name: str) -> str:
    """Returns the English description of a message, field, enum, value, service or method; empty for an unknown
    name.

    `name` is the full name of the descriptor: ``portico.v1.ListQuery.offset``. The name of a value includes
    its enum: ``portico.v1.TextQueryMethod.TEXT_QUERY_METHOD_EQUALS``.
    """
    return _texts().get(name, "")


@cache
def _texts() -> dict[str, str]:
    stored = files("portico_contracts").joinpath("generated", "field_texts.json").read_bytes()
    return msgspec.json.decode(stored, type=dict[str, str])
