"""Names of countries, as pages show them. The lists are generated from the Unicode CLDR."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


def country_name(code: str, language: str) -> str:
    """Returns the name of an ISO 3166-1 code; for an unknown code the code, which may be empty."""
    return _names(language).get(code, code) if code else ""


@cache
def _names(tag: str) -> dict[str, str]:
    content = files("portico_web").joinpath("country_names", f"{tag}.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, str])
