"""What was typed on the pages of mailed links, and what was wrong with it."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.login import Problem
from portico_oauth.errors import Kind, Refusal
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import read_typed

_WRONG_CODES: Final = frozenset({"USER-402", "USER-541"})
_KEY_REFUSED: Final = frozenset({"USER-501", "USER-502", "USER-503"})
"""No registration is under way, or what the key made does not fit it, or the key is registered already."""
_PASSWORD_REFUSED: Final = frozenset(f"USER-{number}" for number in ("030", "031", "032", "035", *range(614, 618)))
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
    """The emailed code without blanks, which come with copying; LOGIN-105 over 200 code points."""
    return "".join(read_typed(form, "code").split())


def read_login_name(form: Parameters) -> str:
    """The login name; LOGIN-105 over 200 code points."""
    return read_typed(form, "login_name").strip()


def problem_of(refusal: Refusal) -> LinkProblem:
    """What the page is to say.

    Raises:
        Refusal: the same, where no answer on the page can change it.
    """
    if refusal.id in _WRONG_CODES:
        return LinkProblem(Problem.WRONG_CODE)
    if refusal.id in _KEY_REFUSED:
        return LinkProblem(Problem.WRONG_KEY)
    if refusal.kind is Kind.SLOW_DOWN:
        return LinkProblem(Problem.SLOW_DOWN, retry_after=refusal.retry_after or 0)
    if refusal.id in _PASSWORD_REFUSED:
        return LinkProblem(Problem.PASSWORD_REFUSED, refusal.id)
    raise refusal
