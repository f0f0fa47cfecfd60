from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


def field_text(name: str) -> str:
    """Returns the English text of a full descriptor name (``portico.v1.ListQuery.offset``); empty if unknown.

    The name of a value includes its enum: ``portico.v1.TextQueryMethod.TEXT_QUERY_METHOD_EQUALS``.
    """
    return _texts().get(name, "")


@cache
def _texts() -> dict[str, str]:
    stored = files("portico_contracts").joinpath("generated", "field_texts.json").read_bytes()
    return msgspec.json.decode(stored, type=dict[str, str])
