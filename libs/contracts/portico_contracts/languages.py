from __future__ import annotations

from typing import Final

TAGS: Final = ("en", "de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar")
"""Supported languages; the first is the fallback."""

RIGHT_TO_LEFT: Final = frozenset({"ar"})
