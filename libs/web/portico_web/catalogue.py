from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from gettext import c2py
from importlib.resources import files
from typing import Final

from portico_web.languages import ENGLISH
from portico_web.po_file import Messages, read_po

_SHARED: Final = "portico_web"
_PLURALS: Final = re.compile(r"Plural-Forms:\s*nplurals=[1-6];\s*plural=([^;]+);")


class Catalogue:
    def __init__(self, messages: Messages, *, form_of: Callable[[int], int], behind: Catalogue | None = None) -> None:
        self.messages = messages
        self._form_of = form_of
        self._behind = behind

    def find(self, message: str) -> str | None:
        if message in self.messages:
            return self.messages[message][0]
        return self._behind.find(message) if self._behind else None

    def gettext(self, message: str) -> str:
        return self.find(message) or message

    def ngettext(self, one: str, several: str, count: int) -> str:
        if one in self.messages:
            return self.messages[one][self._form_of(count)]
        if self._behind:
            return self._behind.ngettext(one, several, count)
        return one if count == 1 else several


@cache
def load_catalogue(package: str, tag: str) -> Catalogue:
    """Loads ``locale/<tag>.po`` of a package, with the shared catalogue as fallback."""
    if tag == ENGLISH.tag:
        return Catalogue({}, form_of=_english)
    messages = read_po(files(package).joinpath("locale", f"{tag}.po").read_text("utf-8"))
    header = messages.pop("", ("",))[0]
    found = _PLURALS.search(header)
    if found is None:
        raise ValueError(f"the catalogue {tag} of {package} does not say its plural forms")
    behind = load_catalogue(_SHARED, tag) if package != _SHARED else None
    return Catalogue(messages, form_of=c2py(found[1]), behind=behind)


def _english(count: int) -> int:
    return int(count != 1)
