"""Merging of translation catalogues, the report of missing translations, and checks against broken pages."""

from __future__ import annotations

import re
from functools import cache

import messages
import pytest
import release
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from generated_files import ROOT
from generated_pages.help_pages import help_pages
from portico_web.po_file import read_po as read_shown
from translations.catalogues import TAGS, merged, new_catalogue, report
from translations.packages import PACKAGES, Message, Package

GERMAN = """# Pages in German.
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Sign in"
msgstr "Anmelden"

msgid "Your password has to be changed before you go on."
msgstr "Ihr Passwort muss geändert werden, bevor es weitergeht."

msgid "Go away"
msgstr "Weg"
"""
TODAY = [
    Message(("Sign in",), "templates/login.html"),
    Message(("Your password has to be changed before you continue.",), "LOGIN-900"),
    Message(("%(count)s code", "%(count)s codes"), "templates/codes.html"),
]
_NO_TEXT = re.compile(
    r"(?s)\{#.*?#\}|<style>.*?</style>|\{% block (?:page_id|link_id|body_class) %\}[^{]*\{% endblock %\}|\{% trans.*?endtrans %\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]*>"
)
DATA = {
    "portico_console": {
        "UTC", "openid", "curl", "CLIENT", "ID", "SECRET", "oauth", "token", "grant",
        "type", "client", "credentials", "scope", "urn", "portico", "project", "id", "aud", "apply", "aria",
        "describedby", "invalid", "true", "hint", "problem", "enctype", "multipart", "form", "data",
        "tabindex", "autofocus", "wrong", "JSON", "placeholder", "dir", "ltr", "spellcheck", "false", "autocapitalize",
        "none",
    },
    "portico_login_ui": {"UTC"},
}  # fmt: skip
"""Equal in every language: URLs, commands, and attributes that macros write."""


NAME_OF_THE_API = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[a-z]+[A-Z][a-z]\w*\b")
NAMES_OF_OTHERS = re.compile(r"PORTICO_\w+|entryUUID|objectGUID|nsUniqueId|“userName”")
"""Settings of an operator, and attributes of directories and of SCIM."""

NUMBER_OF_A_DECISION = re.compile(r"\b0\d{3}\b|\b[Dd]ecision \d")


def test_pages_of_the_console_name_nothing_of_the_api() -> None:
    """No text has the name of a constant, a field or an operation of the management API."""
    (console,) = (one for one in PACKAGES if one.name == "portico_console")
    texts = (NAMES_OF_OTHERS.sub("", form) for message in console.messages.values() for form in message.forms)

    assert [one for one in texts if NAME_OF_THE_API.search(one)] == []


def test_texts_for_users_name_no_decision() -> None:
    """Decisions are for developers: neither pages and emails nor the help of the console refer to them."""
    texts = [form for one in PACKAGES for message in one.messages.values() for form in message.forms]

    assert [one for one in texts if NUMBER_OF_A_DECISION.search(one)] == []
    assert [name for name, html in help_pages().items() if NUMBER_OF_A_DECISION.search(html)] == []


def test_new_message_is_added_untranslated() -> None:
    """A merge preserves translations, removes deleted messages, and is idempotent."""
    text = merged(GERMAN, TODAY, "de")
    shown = read_shown(text)

    assert text.startswith('# Pages in German.\nmsgid ""\n')
    assert shown["Sign in"] == ("Anmelden",)
    assert "Go away" not in text
    assert (
        '#: templates/codes.html\n#, python-format\nmsgid "%(count)s code"\nmsgid_plural "%(count)s codes"\nmsgstr[0] ""'
        in text
    )
    assert "%(count)s code" not in shown
    assert merged(text, TODAY, "de") == text


def test_translation_of_a_changed_message_is_fuzzy() -> None:
    """The former translation is marked as fuzzy and is not shown on pages."""
    text = merged(GERMAN, TODAY, "de")

    assert (
        "#. LOGIN-900\n"
        "#, fuzzy\n"
        'msgid "Your password has to be changed before you continue."\n'
        'msgstr "Ihr Passwort muss geändert werden, bevor es weitergeht."\n'
    ) in text
    assert TODAY[1].forms[0] not in read_shown(text)


def test_new_language_has_its_plural_forms() -> None:
    """The catalogue of a new language has every message, with a line for each plural form."""
    text = merged(new_catalogue("cs"), TODAY, "cs")

    assert '"Language: cs\\n"' in text
    assert "msgstr[2] " in text
    assert "msgstr[3] " not in text
    assert read_shown(text).keys() == {""}


def test_catalogue_without_plural_forms_is_refused() -> None:
    with pytest.raises(ValueError, match="the catalogue of de has no Plural-Forms"):
        merged('msgid "a"\nmsgstr "b"\n', TODAY, "de")


def test_shared_translation_is_not_repeated() -> None:
    """A message of the shared pages is in a second catalogue only if it has a separate translation there."""
    text = merged(GERMAN, TODAY, "de", translated_elsewhere=["Sign in", "%(count)s code"])

    assert "Anmelden" in text
    assert "%(count)s" not in text


def test_missing_translations_are_listed_briefly() -> None:
    """The report lists each message once with its languages, and the number of those not shown."""
    found = {("a", "One."): list(TAGS), ("a", "Two."): ["de", "fr"], ("b", "Three."): ["ar"]}

    assert report(found, most=2) == [
        "Messages without a translation, which are shown in English: 3",
        "  a (all languages): One.",
        "  a (de, fr): Two.",
        "  and 1 more",
    ]
    assert report({}) == []


def test_missing_translation_is_a_warning_in_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`make check` lists missing translations and passes."""
    monkeypatch.setattr(messages, "missing", lambda: {("a", "One."): ["de"]})

    assert messages.main(["--check"]) == 0
    assert "a (de): One." in capsys.readouterr().out


def test_missing_translation_prevents_a_release(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A release with missing translations is refused with their list."""
    monkeypatch.setattr(release, "notes_of", lambda *_, **__: "")
    monkeypatch.setattr(release, "refuse_changes", lambda _root: "c" * 40)
    monkeypatch.setattr(release, "missing", lambda: {("a", "One."): ["de"]})

    assert release.main([]) == 1
    assert "refused: Messages without a translation" in capsys.readouterr().err


def test_every_catalogue_is_in_the_table() -> None:
    """A package with catalogues that is missing from the table would never be merged."""
    found = {path.parent.name for path in ROOT.glob("*/*/portico_*/locale")}

    assert found == {package.name for package in PACKAGES}


def test_every_translation_is_of_a_known_message() -> None:
    """The next `make messages` would remove the others, such as those of errors that moved to a module it does not
    read.
    """
    assert [
        (package.name, tag, forms[0])
        for package in PACKAGES
        for tag in TAGS
        for forms, _translations in _shown(package, tag)
        if forms[0] not in package.messages
    ] == []


@pytest.mark.slow
def test_translations_keep_placeholders_and_markup() -> None:
    """A translation must not lose a placeholder, add markup, or have a stray percent sign, which would break the
    page.
    """
    assert [
        (package.name, tag, forms[0])
        for package in PACKAGES
        for tag in TAGS
        for forms, translations in _shown(package, tag)
        if not all(_fits(forms, text, len(translations)) for text in translations)
    ] == []


def test_translations_have_every_plural_form() -> None:
    """German has two plural forms, Polish three, Arabic six, Japanese and Chinese one, as in the header of the
    catalogue.
    """
    forms = {tag: {_read(package, tag).num_plurals for package in PACKAGES} for tag in TAGS}

    assert {tag: forms[tag] for tag in ("de", "pl", "ar", "ja")} == {"de": {2}, "pl": {3}, "ar": {6}, "ja": {1}}
    assert [
        (package.name, tag, english[0])
        for package in PACKAGES
        for tag in TAGS
        for english, translations in _shown(package, tag)
        if len(english) > 1 and {len(translations)} != forms[tag]
    ] == []


@pytest.mark.parametrize("package", [pytest.param(package, id=package.name) for package in PACKAGES])
def test_templates_have_no_untranslated_text(package: Package) -> None:
    """Text between tags must be in a trans block or be data, such as a time zone, URL or command."""
    words = {
        word for _, source in package.templates() for word in re.findall(r"[^\W\d_]{2,}", _NO_TEXT.sub(" ", source))
    }

    assert words == DATA.get(package.name, set())


@cache
def _read(package: Package, tag: str) -> Catalog:
    with package.catalogue(tag).open("rb") as file:
        return read_po(file, locale=tag)


def _shown(package: Package, tag: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Returns English forms and translations of every message that is shown."""
    return [
        (_texts(message.id), _texts(message.string))
        for message in _read(package, tag)
        if message.id and message.string and not message.fuzzy and all(_texts(message.string))
    ]


def _texts(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _fits(english: tuple[str, ...], text: str, forms: int) -> bool:
    """One of several plural forms may omit the number; the only form of a language may not."""
    wanted, found = _placeholders(english[-1]), _placeholders(text)
    same = found == wanted if forms == 1 else set(found) <= set(wanted)
    return same and text.count("%") == text.count("%(")


def _placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"%\([a-z_]+\)s|\{[a-z]+\}|<[^>]+>", text))
