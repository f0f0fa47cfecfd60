from __future__ import annotations

import msgspec
import pytest
from portico_console.sessions.session import Session

NAMES = (
    ("Ada Lovelace", "AL"),
    ("Ada King Lovelace", "AL"),
    ("ada", "A"),
    ("  ada   lovelace ", "AL"),
    ("\u7530\u4e2d \u592a\u90ce", "\u7530\u592a"),
    ("Eve (contractor)", "E"),
    ("<b> &x", ""),
    ("", ""),
)


@pytest.mark.parametrize(("name", "initials"), NAMES)
def test_initials_of_a_name(name: str, initials: str) -> None:
    """The initials are the capitals of the first and last word that begin with a letter."""
    values = {
        "sub": "u",
        "sid": "s",
        "acr": "",
        "email": "",
        "locale": "",
        "access_token": "",
        "id_token": "",
        "csrf": "",
    }
    numbers = {"auth_time": 0, "issued_at": 0.0, "expires_at": 0.0, "ends_at": 0.0}

    assert msgspec.convert({"name": name, **values, **numbers}, Session).initials == initials
