"""Names of countries in the languages of the pages, from the Unicode CLDR that Babel contains (Unicode License v3)."""

from __future__ import annotations

import json
from typing import Final

from babel import Locale
from portico_contracts.languages import TAGS

FOLDER: Final = "libs/web/portico_web/country_names"

_NO_COUNTRIES: Final = frozenset({"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"})
"""Groups of countries, and codes without one."""


def country_names() -> dict[str, str]:
    """Returns a JSON text for each language."""
    return {f"{FOLDER}/{tag}.json": _names(tag) for tag in TAGS}


def _names(tag: str) -> str:
    territories = Locale.parse(tag).territories
    names = {code: name for code, name in territories.items() if code.isalpha() and code not in _NO_COUNTRIES}
    return json.dumps(names, indent=0, ensure_ascii=False, sort_keys=True) + "\n"
