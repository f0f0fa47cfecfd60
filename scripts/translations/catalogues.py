"""The catalogues of translations: merged with the English messages by Babel, and what is missing in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from portico_web.catalogue import load_catalogue
from portico_web.languages import ENGLISH, LANGUAGES

from translations.packages import PACKAGES, SHARED, Message

TAGS: Final = tuple(language.tag for language in LANGUAGES if language is not ENGLISH)

Missing = Mapping[tuple[str, str], list[str]]
"""By package and message: the languages without a translation."""

_PLURALS: Final = re.compile(r'^"Plural-Forms: .*\\n"$', re.MULTILINE)


def missing() -> Missing:
    """The messages that are shown in English, because their translation is missing or only guessed (fuzzy)."""
    found: dict[tuple[str, str], list[str]] = {}
    for package in PACKAGES:
        for tag in TAGS:
            words = load_catalogue(package.name, tag)
            for message in package.messages:
                if words.find(message) is None:
                    found.setdefault((package.name, message), []).append(tag)
    return found


def report(found: Missing, most: int = 10) -> list[str]:
    """A line with their number, and one for each of the first messages."""
    if not found:
        return []
    lines = [
        f"  {package} ({'all languages' if len(tags) == len(TAGS) else ', '.join(tags)}): {message}"
        for (package, message), tags in found.items()
    ]
    more = [f"  and {len(lines) - most} more"] if len(lines) > most else []
    return [f"Messages without a translation, which are shown in English: {len(lines)}", *lines[:most], *more]


def merge_all() -> None:
    """Writes every catalogue with the messages of today."""
    for package in PACKAGES:
        others = () if package is SHARED else SHARED.messages
        for tag in TAGS:
            file = package.catalogue(tag)
            former = file.read_text("utf-8") if file.is_file() else new_catalogue(tag)
            text = merged(former, package.messages.values(), tag, translated_elsewhere=others)
            file.write_text(text, "utf-8")


def new_catalogue(tag: str) -> str:
    """The header of a catalogue in a new language."""
    return f'msgid ""\nmsgstr ""\n"Plural-Forms: {Catalog(locale=tag).plural_forms}\\n"\n'


def merged(text: str, messages: Iterable[Message], tag: str, *, translated_elsewhere: Iterable[str] = ()) -> str:
    """A catalogue with these messages, and the translations it has.

    A message whose English changed a little gets its former translation, marked as fuzzy: it is not shown until
    a translator removes the mark. Translations of removed messages are removed.

    Args:
        text: the catalogue, with a header that has Plural-Forms.
        translated_elsewhere: messages that are added only where the catalogue already has them.
    """
    catalogue = read_po(BytesIO(text.encode()), locale=tag, ignore_obsolete=True)
    template = Catalog(locale=tag)
    elsewhere = set(translated_elsewhere)
    for message in messages:
        if message.forms[0] not in elsewhere or message.forms[0] in catalogue:
            in_template = message.place.startswith("templates/")
            template.add(
                message.forms if len(message.forms) > 1 else message.forms[0],
                locations=[(message.place, 0)] if in_template else [],
                auto_comments=[message.place] if message.place and not in_template else [],
            )
    catalogue.update(template)
    written = BytesIO()
    write_po(
        written,
        catalogue,
        width=0,
        omit_header=True,
        include_lineno=False,
        ignore_obsolete=True,
    )
    return _header(text, tag) + written.getvalue().decode().rstrip() + "\n"


def _header(text: str, tag: str) -> str:
    """Comment, language and plural forms, without the dates that gettext's tools would change each time."""
    plural_forms = _PLURALS.search(text)
    if plural_forms is None:
        raise ValueError(f"the catalogue of {tag} has no Plural-Forms in its header")
    comment = "".join(line + "\n" for line in text.split('msgid ""', 1)[0].splitlines() if line.startswith("#"))
    return (
        f'{comment}msgid ""\nmsgstr ""\n"Language: {tag}\\n"\n'
        f'"Content-Type: text/plain; charset=UTF-8\\n"\n{plural_forms[0]}\n\n'
    )
