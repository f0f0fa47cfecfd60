"""What was entered on the pages of emailed links, and what was wrong with it."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.login import Problem
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters, trimmed

from portico_login_ui.methods.method import read_typed

_WRONG_CODES: Final = frozenset({"USER-402", "USER-541"})
_INVALID_KEY: Final = frozenset({"USER-501", "USER-502", "USER-503"})
"""No registration is under way, or what the key made does not fit it, or the key is registered already."""
_INVALID_PASSWORD: Final = frozenset(f"USER-{number}" for number in ("030", "031", "032", "035", *range(614, 618)))
"""The facts of the rules for passwords."""


class LinkProblem(NamedTuple):
    """What was wrong, in the words of `portico_contracts.login.Step`."""

    problem: Problem
    detail: str = ""
    retry_after: int = 0
    name: str = ""


def password_typed(form: Parameters) -> str:
    """The new password as it is; LOGIN-105 over 200 code points."""
    return read_typed(form, "new_password")


def read_code(form: Parameters) -> str:
    """The emailed code without blanks and separators, which come with copying; LOGIN-105 over 200 code points."""
    return code_letters(read_typed(form, "code"))


def read_login_name(form: Parameters) -> str:
    """The login name; LOGIN-105 over 200 code points."""
    return trimmed(read_typed(form, "login_name"))


def problem_of(error: ServiceError) -> LinkProblem:
    """The sentence a page shows for an error.

    Raises:
        ServiceError: the same, where no answer on the page can change it.
    """
    if error.id in _WRONG_CODES:
        return LinkProblem(Problem.WRONG_CODE)
    if error.id in _INVALID_KEY:
        return LinkProblem(Problem.WRONG_KEY)
    if error.kind is Kind.TOO_MANY_REQUESTS:
        return LinkProblem(Problem.SLOW_DOWN, retry_after=error.retry_after or 0)
    if error.id in _INVALID_PASSWORD:
        return LinkProblem(Problem.INVALID_PASSWORD, error.id)
    raise error
