"""Every text of the management API is translated into every language."""

from __future__ import annotations

from importlib import import_module

import pytest
from portico_oauth.errors import ERROR_CODES
from portico_users.api.transport.wire import json_messages, limits
from portico_users.kernel.catalogue import PACKAGE
from portico_web.catalogue import load_catalogue
from portico_web.languages import ENGLISH, LANGUAGES

import_module("portico_users.wiring.service")  # with all its facts

DESCRIPTIONS = [
    text
    for module in (limits, json_messages)
    for name, text in vars(module).items()
    if name.isupper() and not name.startswith("_") and isinstance(text, str)
]


@pytest.mark.parametrize("tag", [language.tag for language in LANGUAGES if language is not ENGLISH])
def test_every_text_is_translated(tag: str) -> None:
    """The facts of the service and the descriptions of violations, with their numbers."""
    words = load_catalogue(PACKAGE, tag)
    texts = [
        *(error_code.text for error_code in ERROR_CODES.values() if error_code.id.startswith("USER-")),
        *DESCRIPTIONS,
    ]

    assert [text for text in texts if words.find(text) is None] == []
    for place in ("{limit}", "{named}"):
        assert [text for text in texts if (place in text) != (place in words.gettext(text))] == []
