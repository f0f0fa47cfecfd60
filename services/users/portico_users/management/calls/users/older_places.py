"""Where things stand in the messages of older clients, for refusals that name the place in the newer ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from portico_oauth.errors import Refusal

from portico_users.domain.problems import at

Places = Sequence[tuple[str, str]]
"""Patterns of places, and what stands there instead; the first that fits is taken."""

PROFILE: Final[Places] = ((r"profile\.(.+)", r"\1"),)

IMPORTED: Final[Places] = (
    (r"username", "userName"),
    (r"password\.password", "password"),
    (r"hashedPassword\.hash", "hashedPassword.value"),
    (r"idpLinks\[(\d+)\]\.idpId", r"idps[\1].configId"),
    (r"idpLinks(.*)", r"idps\1"),
)

ADDED: Final[Places] = ((r"password\.password", "initialPassword"), *IMPORTED)


@contextmanager
def at_older_places(places: Places) -> Iterator[None]:
    """Refusals from within name the places older clients know."""
    try:
        yield
    except Refusal as refusal:
        raise _moved(refusal, places) from None


def _moved(refusal: Refusal, places: Places) -> Refusal:
    for violation in refusal.violations:
        for pattern, older in places:
            if found := re.fullmatch(pattern, violation.field):
                bare = Refusal(refusal.kind, refusal.id, violation.text, private=refusal.private)
                return at(found.expand(older), bare)
    return refusal
