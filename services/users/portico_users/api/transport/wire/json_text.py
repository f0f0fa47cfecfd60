"""JSON text, read strictly and within bounds (RX-05): the same text never means two things."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from portico_oauth.errors import ErrorCode, Kind

MAX_DEPTH: Final = 32

NOT_JSON = ErrorCode("USER-300", Kind.INVALID_REQUEST, "The body is not JSON.", "Send one JSON object in UTF-8.")
NAME_TWICE = ErrorCode(
    "USER-301", Kind.INVALID_REQUEST, "A name stands twice in one JSON object.", "Send each name once."
)
TOO_DEEP = ErrorCode(
    "USER-302", Kind.INVALID_REQUEST, "The JSON is nested too deep.", "Nest at most 32 objects and arrays."
)


class _NameTwice(ValueError):
    pass


def read_json(text: bytes) -> Any:
    """The value.

    Raises:
        ServiceError: USER-300 to USER-302.
    """
    try:
        value = json.loads(text.decode(), object_pairs_hook=_with_each_name_once, parse_constant=_refuse)
    except _NameTwice:
        raise NAME_TWICE.error() from None
    except RecursionError:
        raise TOO_DEEP.error() from None
    except ValueError:  # UnicodeDecodeError and JSONDecodeError are, and so is a number of thousands of digits
        raise NOT_JSON.error() from None
    if _is_deeper(value, MAX_DEPTH):
        raise TOO_DEEP.error()
    return value


def _with_each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NameTwice
    return members


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _is_deeper(value: Any, limit: int) -> bool:
    """Goes through the value level by level, so that depth costs no stack."""
    level = [value]
    for _ in range(limit):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return any(isinstance(inner, dict | list) for inner in level)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
