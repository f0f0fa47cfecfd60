"""The texts of the gateway's own error pages, out of the catalogues of the services' pages: a language is added there."""

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
    "start": "Go to the start page",
    "code": "Error code",
    "request": "Request",
}


def gateway_words() -> dict[str, str]:
    """The file, by its path: for each language of the pages its tag, direction and texts."""
    rows = [
        {"tag": language.tag, "direction": language.direction}
        | {name: load_catalogue("portico_web", language.tag).gettext(text) for name, text in TEXTS.items()}
        for language in LANGUAGES
    ]
    return {PATH: json.dumps(rows, indent=1, ensure_ascii=False) + "\n"}
