"""Every word of every page is there in every language, and no translation breaks a page."""

from __future__ import annotations

import pytest
from portico_console import visit
from portico_console.account_app import data, history, new_key, security
from portico_console.console_app.new_app import creation, redirect_advice
from portico_console.console_app.screens import actions, bulk, reading
from portico_console.console_app.screens.sentences import sentences
from portico_console.forms import reading as form_reading
from portico_console.management import refusals
from portico_console.sign_in import flow, id_token, provider
from portico_harness.catalogues import OTHERS, Words

WORDS = Words(
    "portico_console",
    [*redirect_advice.SENTENCES, *sentences(), *history.WORDS.values(), history.PROFILE],
    [
        visit,
        data,
        new_key,
        security,
        creation,
        refusals,
        flow,
        id_token,
        provider,
        reading,
        actions,
        bulk,
        form_reading,
    ],
)


DATA = {
    "UTC", "well", "known", "openid", "configuration", "curl", "CLIENT", "ID", "SECRET", "oauth", "token", "grant", "type",
    "client", "credentials", "scope", "urn", "portico", "project", "id", "aud",
    "apply", "aria", "describedby", "invalid", "true", "hint", "problem", "do", "enctype", "multipart", "form", "data",
}  # fmt: skip
"""What is the same in every language: addresses, commands, and attributes that macros write."""


@pytest.mark.parametrize("tag", OTHERS)
def test_no_message_is_missing(tag: str) -> None:
    """Every message of templates, error codes and sentences is translated."""
    assert WORDS.missing(tag) == []


def test_languages_have_the_same_messages() -> None:
    """A message that only one language has is forgotten in the others, or in the pages."""
    assert WORDS.unlike() == []


def test_no_message_of_the_templates_is_left_over() -> None:
    """A message without a user is removed from the catalogues."""
    assert len(WORDS.template_messages()) >= 100
    assert WORDS.left_over() == set()


@pytest.mark.parametrize("tag", OTHERS)
def test_translations_keep_tags_and_placeholders(tag: str) -> None:
    """A translation can neither lose a name nor add markup; a stray percent sign would break the page."""
    assert WORDS.broken(tag) == []


def test_templates_have_no_untranslated_text() -> None:
    """Text between tags is in a trans block, or is data: a time zone, an address, a command."""
    assert set(WORDS.untranslated_text()) == DATA
