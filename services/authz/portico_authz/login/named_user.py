"""Binds the form of a page to the user whom the page names: consent, and the details of a new account.

The consent page is bound to what it shows, too: to each scope with its API, which the form does not name.

While the page is open, its request may get another user: the session ends and another tab signs another user in, or
another tab returns from a provider with another identity. The CSRF value of the page ends with a reference to its
user, so that each client of the login API returns it.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace as with_fields
from portico_contracts.login import Answer
from portico_contracts.step_names import StepName
from portico_oauth.opaque import fingerprint

from portico_authz.login.state import Login

_SEPARATOR: Final = "."
"""Occurs in no CSRF value."""


def csrf_of_page(login: Login) -> str:
    """Returns the CSRF value of the page that is shown next."""
    reference = _reference(login)
    return f"{login.csrf}{_SEPARATOR}{reference}" if reference else login.csrf


def without_named_user(answer: Answer) -> tuple[Answer, str]:
    """Returns the answer with its CSRF value as it is stored, and the reference; empty if the form has none."""
    csrf, _, named = answer.csrf.partition(_SEPARATOR)
    return with_fields(answer, csrf=csrf), named


def is_named(login: Login) -> bool:
    """Reports whether the page of the submitted form named the current user; False where pages name none."""
    return bool(login.named) and login.named == _reference(login)


def _reference(login: Login) -> str:
    """Differs in each browser, and reveals no id; empty where the page is bound to no user."""
    pending = login.progress.external
    if login.consenting:
        user = "\n".join((login.consenting.user_id, *(f"{one.api} {one.scope}" for one in login.ctx.to_be_allowed)))
    elif pending and login.step is StepName.COMPLETE_EXTERNAL:
        user = "\n".join((pending.identity.provider_id, pending.identity.issuer, pending.identity.subject))
    else:
        return ""
    return fingerprint(f"{login.browser.id}:{user}")[:22]
