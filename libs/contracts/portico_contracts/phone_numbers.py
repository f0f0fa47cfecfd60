"""Phone numbers as people and directories write them, for imports: E.164 is what users stores."""

from __future__ import annotations

import re
from typing import Final

_BETWEEN_DIGITS: Final = re.compile(r"\(0\)|[\s().\u2010-\u2015/-]")
_INTERNATIONAL: Final = re.compile(r"\+[0-9]+")


def dialled(phone: str) -> str:
    """Removes what people write between digits: ``+41 (0)44 123-45-67`` is +41441234567. Others stay as they are."""
    digits = _BETWEEN_DIGITS.sub("", phone)
    digits = f"+{digits[2:]}" if digits.startswith("00") else digits
    return digits if _INTERNATIONAL.fullmatch(digits) else phone
