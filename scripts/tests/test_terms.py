"""One term for one thing in the catalogues of a language."""

from __future__ import annotations

import re

import pytest
from portico_web.catalogue import load_catalogue
from translations.packages import PACKAGES

OTHER_TERMS = [
    ("de", r"[Ss]ecret", "Geheimnis", "Secret"),
    ("de", r"[Pp]assword", "Kennw[oö]rt", "Passwort"),
    ("de", r"[Aa]dministrator", "Administrator", "Verwalter"),
    ("de", r"[Ss]ervice user", "Maschine|Dienstkonto", "Dienstbenutzer"),
    ("pt", r"[Pp]assword", r"\b[Ss]enhas?\b", "palavra-passe"),
    ("pt", r"\b[Uu]sers?\b", "[Uu]suário", "utilizador"),
    ("ar", r"[Aa]dministrator", "مسؤول(?! عن)", "مدير"),
    ("nl", r"[Rr]edirect URI", "[Rr]edirect-URI", "omleidings-URI"),
    ("ja", r"[Rr]edirect URI", "リダイレクト ?URI", "リダイレクトアドレス"),
    ("zh", r"[Rr]edirect URI", "重定向 URI", "重定向地址"),
]
"""Language, the English term, a word that must not translate it, and the one that does."""


@pytest.mark.parametrize(("tag", "english", "other", "term"), OTHER_TERMS)
def test_thing_has_one_term(tag: str, english: str, other: str, term: str) -> None:
    found = [
        text
        for package in PACKAGES
        for message, texts in load_catalogue(package.name, tag).messages.items()
        if re.search(english, message)
        for text in texts
        if re.search(other, text)
    ]

    assert found == [], f"write {term}"
