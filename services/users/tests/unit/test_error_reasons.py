"""Reasons of refusals in answers of the API: in the language of the caller."""

from __future__ import annotations

import re
from pathlib import Path

import portico_users
import pytest
from portico_contracts.error_texts import ErrorText, error_text
from portico_users.management_api.protobuf.error_reasons import reason_of
from portico_web.languages import ENGLISH, LANGUAGES, Language

ENGLISH_TEXTS = re.compile(r"\berror_text\(|\bERROR_CODES\b")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.tag)
def test_reason_is_in_the_language_of_the_caller(language: Language) -> None:
    reason, english = reason_of("TOKEN-015", language), error_text("TOKEN-015")

    assert (reason.text == english.text) is (language is ENGLISH)
    assert (reason.fix == english.fix) is (language is ENGLISH)


def test_error_of_another_release_has_no_reason() -> None:
    assert reason_of("AUTHZ-999", ENGLISH) == ErrorText("")


def test_no_operation_answers_with_english_texts_of_errors() -> None:
    """Operations explain errors with `reason_of`, so that the pages of the console are in one language."""
    root = Path(portico_users.__file__).parent

    assert [path.name for path in sorted(root.glob("**/api/*.py")) if ENGLISH_TEXTS.search(path.read_text())] == []
