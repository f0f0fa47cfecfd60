"""Texts of the gateway's own error pages, taken from the services' catalogues."""

from __future__ import annotations

import json
from typing import Final

from portico_web.catalogue import load_catalogue
from portico_web.languages import LANGUAGES

PATH: Final = "tools/stack/portico_stack/gateway/words.json"

TEXTS: Final = {
    "title": "Something went wrong",
    "unavailable": "The service is temporarily unavailable. Please try again in a moment.",
    "refused": "The link or form that led here is incomplete.",
    "absent": "Page not found.",
    "start": "Go to the start page",
    "details": "Technical details",
    "code": "Error code",
    "request": "Request",
}


def gateway_words() -> dict[str, str]:
    """Returns the file by path: tag, direction and texts of each language."""
    rows = [
        {"tag": language.tag, "direction": language.direction}
        | {name: load_catalogue("portico_web", language.tag).gettext(text) for name, text in TEXTS.items()}
        for language in LANGUAGES
    ]
    return {PATH: json.dumps(rows, indent=1, ensure_ascii=False) + "\n"}
