from __future__ import annotations

from portico_contracts.error_texts import ErrorText, error_text
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language

from portico_users.catalogue import PACKAGE


def reason_of(error_id: str, language: Language) -> ErrorText:
    """What an error of any service means and how to correct it; both empty for an error of another release."""
    words, english = load_catalogue(PACKAGE, language.tag), error_text(error_id)
    return ErrorText(words.gettext(english.text), words.gettext(english.fix))
