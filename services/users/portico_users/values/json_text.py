"""Parses JSON strictly and within limits (RX-05), so that a text has only one meaning."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Final, NoReturn

from portico_oauth.errors import ErrorCode, Kind, Violation
from portico_oauth.json_depth import is_deeper
from portico_oauth.surrogates import find_lone_surrogate

MAX_DEPTH: Final = 32

MAX_VALUES: Final = 20_000
"""Values in one request, more than three times as many as the largest valid one has. Decoding a million takes seconds,
and the replica processes no other request meanwhile."""

NOT_JSON = ErrorCode("USER-300", Kind.INVALID_REQUEST, "The body is not valid JSON.", "Send one JSON object in UTF-8.")
NAME_TWICE = ErrorCode(
    "USER-301", Kind.INVALID_REQUEST, "A JSON object contains the same name twice.", "Use each name once per object."
)
TOO_DEEP = ErrorCode(
    "USER-302", Kind.INVALID_REQUEST, "The JSON is nested too deeply.", "Nest at most 32 objects and arrays."
)
INVALID_FIELDS = ErrorCode(
    "USER-303", Kind.INVALID_REQUEST, "Some fields have invalid values.", "See details for the violation of each field."
)
TOO_MANY_VALUES = ErrorCode(
    "USER-308",
    Kind.INVALID_REQUEST,
    "The request has too many values.",
    "Send at most 20,000 values in one request, those in lists and objects included.",
)
MOST_VIOLATIONS: Final = 50
"""Fields listed in one error."""

REQUIRED: Final = "This field is required."
TOO_SHORT: Final = "Enter at least {limit} characters."
TOO_LONG: Final = "Enter at most {limit} characters."
TOO_MANY_BYTES: Final = "Use at most {limit} bytes."
TOO_MANY: Final = "Use at most {limit} entries."
NUL: Final = "The character NUL is not allowed."
UNKNOWN_NAME: Final = "Unknown field."
GIVEN_TWICE: Final = "This is set twice, with different values."
ONE_OF_SEVERAL: Final = "Only one of these can be set."
WRONG_TYPE: Final = "This has the wrong type."
NOT_TEXT: Final = "This contains characters that are not valid text."
NOT_BASE64: Final = "This is not base64."
OUT_OF_RANGE: Final = "This number is out of range."
NOT_A_NAME: Final = "Unknown name."

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}\Z")
_STANDARD: Final = str.maketrans("-_", "+/")


class _NameTwice(ValueError):
    pass


def read_json(text: bytes) -> object:
    """Raises USER-300 to USER-302, USER-308, and USER-303 with the path of a lone surrogate."""
    if count_values(text) > MAX_VALUES:
        raise TOO_MANY_VALUES.error()
    try:
        decoded = text.decode()
        value = json.loads(decoded, object_pairs_hook=_with_each_name_once, parse_constant=_refuse)
    except _NameTwice:
        raise NAME_TWICE.error() from None
    except RecursionError:
        raise TOO_DEEP.error() from None
    except ValueError:  # UnicodeDecodeError and JSONDecodeError are, and so is a number of thousands of digits
        raise NOT_JSON.error() from None
    if is_deeper(value, MAX_DEPTH):
        raise TOO_DEEP.error()
    if (place := find_lone_surrogate(decoded, value)) is not None:
        raise INVALID_FIELDS.error(violations=(Violation(place, NOT_TEXT),))
    return value


def count_values(text: bytes) -> int:
    """Counts the commas and opening brackets, because each value but the outermost follows one. Builds no values."""
    count = _count_marks(text)
    if count <= MAX_VALUES:  # nearly every text, so strings are rarely removed
        return count
    unescaped = text.replace(rb"\\", b"").replace(rb"\"", b"")
    outside = unescaped.split(b'"', 4 * MAX_VALUES)[::2]  # a value has a string and a name at most
    return _count_marks(b"".join(outside))


def _count_marks(text: bytes) -> int:
    return text.count(b",") + text.count(b"[") + text.count(b"{")


def _with_each_name_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NameTwice
    return members


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def read_base64(value: str) -> bytes | None:
    """Decodes base64 or base64url with or without padding; None for anything else."""
    digits = value.rstrip("=")
    if not _BASE64.match(value) or len(digits) % 4 == 1 or (digits != value and len(value) % 4):
        return None
    try:
        return base64.b64decode(digits.translate(_STANDARD) + "=" * (-len(digits) % 4))
    except binascii.Error:
        return None
