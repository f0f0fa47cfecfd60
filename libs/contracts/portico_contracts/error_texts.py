from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

ERROR_TEXTS_FILE: Final = "error-texts.json"


class ErrorText(msgspec.Struct, frozen=True):
    text: str
    fix: str = ""


def error_text(error_id: str) -> ErrorText:
    return _all_texts().get(error_id, ErrorText(text=""))


@cache
def _all_texts() -> dict[str, ErrorText]:
    data = (files("portico_contracts") / "generated" / ERROR_TEXTS_FILE).read_bytes()
    return msgspec.json.decode(data, type=dict[str, ErrorText])
