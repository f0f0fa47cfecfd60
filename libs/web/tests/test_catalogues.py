from __future__ import annotations

import pytest
from portico_oauth.errors import ErrorCode, Kind
from portico_web.catalogue import Catalogue, load_catalogue
from portico_web.languages import LANGUAGES
from portico_web.po_file import read_po
from portico_web.surfaces import html_page
from starlette.requests import Request

PO = """
# A comment.
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#: templates/a.html
msgid "one \\"word\\""
msgstr "ein "
"„Wort“\\n"

msgid "%(count)s word"
msgid_plural "%(count)s words"
msgstr[0] "%(count)s Wort"
msgstr[1] "%(count)s Wörter"

#, fuzzy
msgid "guessed"
msgstr "geraten"

msgid "open"
msgstr ""

#~ msgid "gone"
#~ msgstr "weg"
"""


def test_po_file_is_parsed() -> None:
    """Escapes, continued lines and plural forms are parsed; fuzzy, obsolete and empty entries are ignored."""
    messages = read_po(PO)
    header = messages.pop("")

    assert messages == {'one "word"': ("ein „Wort“\n",), "%(count)s word": ("%(count)s Wort", "%(count)s Wörter")}
    assert "nplurals=2" in header[0]


@pytest.mark.parametrize(
    "text",
    ['msgid "a"\nmsgstr b', 'msgctxt "x"\nmsgid "a"\nmsgstr "b"', 'msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"'],
)
def test_invalid_po_file_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not understood|twice"):
        read_po(text)


def test_missing_translation_is_english() -> None:
    """The English text, or another package's translation, replaces a missing translation."""
    shared = Catalogue({"a": ("A",)}, form_of=lambda _: 0)
    own = Catalogue({"b": ("B",)}, form_of=lambda _: 0, behind=shared)

    assert [own.gettext(word) for word in "abc"] == ["A", "B", "c"]
    assert own.find("c") is None
    assert (own.ngettext("one", "many", 1), own.ngettext("one", "many", 2)) == ("one", "many")


@pytest.mark.parametrize(
    ("count", "form"), [(0, 0), (1, 1), (2, 2), (3, 3), (10, 3), (11, 4), (99, 4), (100, 5), (102, 5), (103, 3)]
)
def test_plural_forms_follow_the_language(count: int, form: int) -> None:
    words = load_catalogue("portico_login_ui", "ar")
    one = "Too many attempts. Please wait %(minutes)s minute, then try again."

    assert words.ngettext(one, "", count) == words.messages[one][form]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Something went wrong"), ("de-AT", "Das hat nicht geklappt"), ("ar", "لم ينجح ذلك")]
)
def test_error_page_uses_the_browsers_language(language: str, words: str) -> None:
    """Text, ``lang``, ``dir`` and Content-Language agree."""
    error = ErrorCode("LOOK-002", Kind.INVALID_REQUEST, "The request is malformed.").error()
    answer = html_page(error, Request({"type": "http", "headers": [(b"accept-language", language.encode())]}))
    text = bytes(answer.body).decode()
    tag, direction = language[:2], "rtl" if language == "ar" else "ltr"

    assert words in text
    assert f'<html lang="{tag}" dir="{direction}">' in text
    assert answer.headers["content-language"] == tag
    assert text.count("lang=") == 1


@pytest.mark.parametrize("language", [language.tag for language in LANGUAGES])
def test_untranslated_text_is_omitted(language: str) -> None:
    """In other languages than English an error page omits an untranslated text and keeps sentence and id."""
    error = ErrorCode("LOOK-003", Kind.INVALID_REQUEST, "Only <b>this</b> %s knows it.").error()
    answer = html_page(error, Request({"type": "http", "headers": [(b"accept-language", language.encode())]}))
    text = bytes(answer.body).decode()

    assert ("Only &lt;b&gt;this&lt;/b&gt; %s knows it." in text) is (language == "en")
    assert ("error-text" in text) is (language == "en")
    assert "LOOK-003" in text
    assert text.count("lang=") == 1
