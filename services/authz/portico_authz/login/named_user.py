"""Binds the form of the consent page to the user whom the page names.

While the page is open, its request may get another user: the session ends, and another tab signs another user in.
The CSRF value of the page ends with a reference to its user, so that each client of the login API returns it.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace as with_fields
from portico_contracts.login import Answer
from portico_oauth.opaque import fingerprint

from portico_authz.domain.session import Session
from portico_authz.login.state import Login

_SEPARATOR: Final = "."
"""Occurs in no CSRF value."""


def csrf_of_page(login: Login) -> str:
    """Returns the CSRF value of the page that is shown next."""
    if login.consenting is None:
        return login.csrf
    return f"{login.csrf}{_SEPARATOR}{_reference(login, login.consenting)}"


def without_named_user(answer: Answer) -> tuple[Answer, str]:
    """Returns the answer with its CSRF value as it is stored, and the reference; empty if the form has none."""
    csrf, _, named = answer.csrf.partition(_SEPARATOR)
    return with_fields(answer, csrf=csrf), named


def is_named(login: Login, session: Session) -> bool:
    """Whether the page of the submitted form named the user of this session."""
    return login.named == _reference(login, session)


def _reference(login: Login, session: Session) -> str:
    """Differs in each browser, and reveals no id."""
    return fingerprint(f"{login.browser.id}:{session.user_id}")[:22]
