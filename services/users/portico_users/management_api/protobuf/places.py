from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from portico_oauth.errors import ServiceError

from portico_users.values.problems import at

Places = Sequence[tuple[str, str]]

USER_NAME: Final = (r"username", "userName")
CONTACT: Final[Places] = ((r"email\.email", "email"), (r"phone\.phone", "phone"))
PROFILE: Final[Places] = ((r"profile\.(.+)", r"\1"),)

IMPORTED: Final[Places] = (
    USER_NAME,
    (r"password\.password", "password"),
    (r"hashedPassword\.hash", "hashedPassword.value"),
    (r"idpLinks\[(\d+)\]\.idpId", r"idps[\1].configId"),
    (r"idpLinks(.*)", r"idps\1"),
)

ADDED: Final[Places] = ((r"password\.password", "initialPassword"), *IMPORTED)


@contextmanager
def at_places(places: Places) -> Iterator[None]:
    """Rewrites the field paths of errors raised in the block."""
    try:
        yield
    except ServiceError as error:
        raise _moved(error, places) from None


def _moved(error: ServiceError, places: Places) -> ServiceError:
    for violation in error.violations:
        for pattern, older in places:
            if found := re.fullmatch(pattern, violation.field):
                bare = ServiceError(error.kind, error.id, violation.translated(), private=error.private)
                return at(found.expand(older), bare)
    return error
