"""Every word of every page is there in every language, and no translation breaks a page."""

from __future__ import annotations

import pytest
from portico_harness.catalogues import OTHERS, Words
from portico_login_ui import error_page, external_flow, first_run_flow, onward, own_form, rpc_errors, steps, visit
from portico_login_ui.methods import method
from portico_login_ui.methods.webauthn import credential
from portico_oauth import errors, parameters
from portico_oauth.errors import TABLE
from portico_web import forms, same_origin
from portico_web.catalogue import load_catalogue

SHARED = Words("portico_web", [row.page for row in TABLE.values()], [errors, parameters, forms, same_origin])
OWN = Words(
    "portico_login_ui",
    [*error_page.SENTENCES.values(), error_page.NO_SIGN_IN, error_page.NO_SIGN_OUT],
    [onward, own_form, rpc_errors, steps, visit, method, credential, external_flow, first_run_flow],
)
FORMS = {"pl": 3, "ar": 6, "ja": 1, "zh": 1}
BOTH = [pytest.param(words, id=words.package) for words in (SHARED, OWN)]


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("words", BOTH)
def test_no_message_is_missing(words: Words, tag: str) -> None:
    """Every message of templates, error codes and sentences is translated."""
    assert words.missing(tag) == []


@pytest.mark.parametrize("words", BOTH)
def test_languages_have_the_same_messages(words: Words) -> None:
    """A message that only one language has is forgotten in the others, or in the pages."""
    assert words.unlike() == []


@pytest.mark.parametrize("words", BOTH)
def test_no_message_of_the_templates_is_left_over(words: Words) -> None:
    """A message without a user is removed from the catalogues."""
    assert len(words.template_messages()) >= 5
    assert words.left_over() == set()


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("words", BOTH)
def test_translations_keep_tags_and_placeholders(words: Words, tag: str) -> None:
    """A translation can neither lose a name nor add markup; a stray percent sign would break the page."""
    assert words.broken(tag) == []


@pytest.mark.parametrize("tag", OTHERS)
def test_plural_messages_have_every_form(tag: str) -> None:
    """Each has as many as its header states: German two, Polish three, Arabic six, Japanese and Chinese one."""
    messages = load_catalogue("portico_login_ui", tag).messages
    counted = [message for message in messages if message.startswith("Too many attempts. Please wait %(")]

    assert {len(messages[message]) for message in counted} == {FORMS.get(tag, 2)}


@pytest.mark.parametrize("words", BOTH)
def test_templates_have_no_untranslated_text(words: Words) -> None:
    """Text between tags is in a trans block, or is data."""
    assert words.untranslated_text() == []
