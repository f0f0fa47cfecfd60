"""The languages of pages and emails, by their tags (BCP 47)."""

from __future__ import annotations

from typing import Final

TAGS: Final = ("en", "de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar")
"""All of them; the first is what everybody gets whose own is not there."""

RIGHT_TO_LEFT: Final = frozenset({"ar"})
"""Those whose script is written from right to left."""
