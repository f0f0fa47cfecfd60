"""The sentences of every error code of the product, by id: generated, so that a service can explain the errors of others."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

ERROR_TEXTS_FILE: Final = "error-texts.json"


class ErrorText(msgspec.Struct, frozen=True):
    """What was wrong, and what the caller can do about it; in English, the msgids of their translations."""

    text: str
    fix: str = ""


def error_text(error_id: str) -> ErrorText:
    """The sentences of an error; empty ones for an id of another release."""
    return _all_texts().get(error_id, ErrorText(text=""))


@cache
def _all_texts() -> dict[str, ErrorText]:
    data = (files("portico_contracts") / "generated" / ERROR_TEXTS_FILE).read_bytes()
    return msgspec.json.decode(data, type=dict[str, ErrorText])
