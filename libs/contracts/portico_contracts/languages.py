from __future__ import annotations

from typing import Final

TAGS: Final = ("en", "de", "fr", "it", "es", "pt", "pl", "nl", "ja", "zh", "ar")
"""Supported languages; the first is the fallback."""

OWN_NAMES: Final = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "it": "Italiano",
    "es": "Español",
    "pt": "Português",
    "pl": "Polski",
    "nl": "Nederlands",
    "ja": "日本語",
    "zh": "中文",
    "ar": "العربية",
}
"""Each language in its own words."""

RIGHT_TO_LEFT: Final = frozenset({"ar"})
