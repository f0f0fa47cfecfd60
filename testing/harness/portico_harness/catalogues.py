"""The messages of a package's pages, from templates, error codes and sentences; and whether all are translated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from types import ModuleType
from typing import Any, Final

from jinja2 import PackageLoader
from portico_oauth.errors import ErrorCode
from portico_web.catalogue import load_catalogue
from portico_web.languages import ENGLISH, LANGUAGES
from portico_web.pages import environment

OTHERS: Final = [language.tag for language in LANGUAGES if language is not ENGLISH]
"""Every language that needs a catalogue."""

_NO_TEXT: Final = re.compile(
    r"(?s)\{#.*?#\}|\{% block page_id %\}[\w-]*\{% endblock %\}|\{% trans.*?endtrans %\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]*>"
)


@dataclass(frozen=True)
class Words:
    """The messages of the pages of one package.

    Args:
        sentences: messages in code.
        facts: modules whose error codes are shown on pages.
    """

    package: str
    sentences: Iterable[str] = ()
    facts: Iterable[ModuleType] = ()

    def missing(self, tag: str) -> list[str]:
        """The messages without a translation."""
        words = load_catalogue(self.package, tag)
        return [message for message in sorted(self._messages()) if words.find(message) is None]

    def left_over(self) -> set[str]:
        """Translations without a message: those with names or markup, which only templates have."""
        placed = {message for message in self._translated(OTHERS[0]) if "%(" in message or "<" in message}
        return placed - self.template_messages().keys()

    def unlike(self) -> list[str]:
        """Languages whose messages are not those of the first one."""
        return [tag for tag in OTHERS if self._translated(tag).keys() != self._translated(OTHERS[0]).keys()]

    def broken(self, tag: str) -> list[str]:
        """Translations that lose a name, add markup, or have a stray percent sign, which would break the page."""
        english = self.template_messages()
        return [
            message
            for message, translations in self._translated(tag).items()
            if not all(_fits(english.get(message, (message,)), text, len(translations)) for text in translations)
        ]

    def untranslated_text(self) -> list[str]:
        """Words between the tags of a template that are in no trans block."""
        return [word for source in self._templates() for word in re.findall(r"[^\W\d_]{2,}", _NO_TEXT.sub(" ", source))]

    def template_messages(self) -> dict[str, tuple[str, ...]]:
        """By message: its one English form, or both where it depends on a number."""
        return self._template_messages

    @cached_property
    def _template_messages(self) -> dict[str, tuple[str, ...]]:
        made: Any = environment(self.package)
        extracted = [message for source in self._templates() for _, _, message in made.extract_translations(source)]
        found = [
            message for message in extracted if message
        ]  # none of a call with a variable, which is a sentence in code
        forms = [
            (message,) if isinstance(message, str) else tuple(form for form in message if form) for message in found
        ]
        return {form[0]: form for form in forms}

    def _messages(self) -> set[str]:
        facts = [
            error_code
            for module in self.facts
            for error_code in vars(module).values()
            if isinstance(error_code, ErrorCode)
        ]
        return {*self.template_messages(), *self.sentences, *(error_code.text for error_code in facts)}

    def _translated(self, tag: str) -> dict[str, tuple[str, ...]]:
        return dict(load_catalogue(self.package, tag).messages)

    def _templates(self) -> Iterator[str]:
        """The sources of the package's own templates, if it has any."""
        if files(self.package).joinpath("templates").is_dir():
            loader = PackageLoader(self.package)
            for name in loader.list_templates():
                yield loader.get_source(environment(self.package), name)[0]


def _fits(english: tuple[str, ...], text: str, forms: int) -> bool:
    """Of several forms one may leave the number out; a language's only form is used for any number."""
    wanted, found = _placeholders(english[-1]), _placeholders(text)
    same = found == wanted if forms == 1 else set(found) <= set(wanted)
    return same and text.count("%") == text.count("%(")


def _placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"%\([a-z_]+\)s|<[^>]+>", text))
