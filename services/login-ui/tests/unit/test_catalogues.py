"""Every word of every page is there in every language, and no translation breaks a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jinja2 import PackageLoader
from portico_login_ui import error_page, onward, own_form, rpc_errors, steps, visit
from portico_login_ui.methods import method
from portico_oauth import errors, parameters
from portico_oauth.errors import TABLE, Fact
from portico_web import forms, same_origin
from portico_web.catalogue import load_catalogue
from portico_web.languages import ENGLISH, LANGUAGES
from portico_web.pages import environment

OTHERS = [language.tag for language in LANGUAGES if language is not ENGLISH]
PACKAGES = ["portico_web", "portico_login_ui"]
SENTENCES = {
    "portico_web": [row.page for row in TABLE.values()],
    "portico_login_ui": [*error_page.SENTENCES.values(), error_page.NO_SIGN_IN, error_page.NO_SIGN_OUT],
}
FACTS = {
    "portico_web": [errors, parameters, forms, same_origin],
    "portico_login_ui": [onward, own_form, rpc_errors, steps, visit, method],
}


_NO_TEXT = re.compile(
    r"(?s)\{#.*?#\}|\{% block page_id %\}[\w-]*\{% endblock %\}|\{% trans.*?endtrans %\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]*>"
)


def _templates(package: str) -> Iterator[str]:
    """The sources of a package's own templates."""
    loader = PackageLoader(package)
    for name in loader.list_templates():
        yield loader.get_source(environment(package), name)[0]


def _said_in_templates(package: str) -> dict[str, str]:
    """By message: itself, and where it depends on a number both its English forms."""
    made: Any = environment(package)
    found = [message for source in _templates(package) for _, _, message in made.extract_translations(source)]
    forms = [(message,) if isinstance(message, str) else [form for form in message if form] for message in found]
    return {form[0]: " ".join(form) for form in forms}


def _said(package: str) -> set[str]:
    facts = [fact for module in FACTS[package] for fact in vars(module).values() if isinstance(fact, Fact)]
    return {*_said_in_templates(package), *SENTENCES[package], *(fact.text for fact in facts)}


def _placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"%\([a-z_]+\)s|<[^>]+>", text))


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_is_missing(package: str, tag: str) -> None:
    """What templates, facts and sentences say is translated."""
    words = load_catalogue(package, tag)

    assert [message for message in sorted(_said(package)) if words.find(message) is None] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_languages_have_the_same_messages(package: str) -> None:
    """A message that only one language has is forgotten in the others, or in the pages."""
    first, *others = [load_catalogue(package, tag).messages.keys() for tag in OTHERS]

    assert all(other == first for other in others)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_of_the_templates_is_left_over(package: str) -> None:
    """Words that nothing says any more are no work for translators."""
    assert len(_said_in_templates(package)) >= 5
    placed = {message for message in load_catalogue(package, "de").messages if "%(" in message or "<" in message}
    assert placed - _said_in_templates(package).keys() == set()


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("package", PACKAGES)
def test_translations_keep_tags_and_placeholders(package: str, tag: str) -> None:
    """A translation can neither lose a name nor add markup; a stray percent sign would break the page."""
    english = _said_in_templates(package)
    for message, translations in load_catalogue(package, tag).messages.items():
        wanted = _placeholders(english.get(message, message))
        for translation in translations:
            found = _placeholders(translation)
            assert found == wanted if len(translations) == 1 else set(found) <= set(wanted), message
            assert translation.count("%") == translation.count("%("), message


@pytest.mark.parametrize("tag", OTHERS)
def test_plural_messages_have_every_form(tag: str) -> None:
    """German has two forms, Arabic six."""
    forms_of = {len(found) for found in load_catalogue("portico_login_ui", tag).messages.values()} - {1}

    assert forms_of == {{"de": 2, "ar": 6}[tag]}


@pytest.mark.parametrize("package", PACKAGES)
def test_templates_say_nothing_untranslated(package: str) -> None:
    """Text between tags stands in a trans block, or is data."""
    for source in _templates(package):
        bare = _NO_TEXT.sub(" ", source)
        assert re.findall(r"[^\W\d_]{2,}", bare) == []
