"""The page of a registration (prompt=create). It does not reveal whether the address has an account (LG-01)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.error_ids import EMAIL_INVALID, PASSWORD_REFUSED, USER_NAME_TAKEN
from portico_contracts.login import Problem
from portico_contracts.login_steps.register import RegisterAnswer, RegisterStep, Registration
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_login_ui.methods.method import Method, PageContext, read_typed
from portico_login_ui.methods.new_password import new_password

_NOTHING: Final = Registration(email="", first_name="", last_name="", password="")

_FIELDS: Final = {
    EMAIL_INVALID: "email",
    USER_NAME_TAKEN: "email",
    **dict.fromkeys(PASSWORD_REFUSED, "password"),
}
"""The field of an error by its id; any other error is about the whole form."""


def _context(page_context: PageContext[RegisterStep]) -> dict[str, Any]:
    """The values typed before, without the password, or the hinted address."""
    step, sent = page_context.step, page_context.submitted
    typed = sent.registration if isinstance(sent, RegisterAnswer) else None
    return {
        "typed": replace(typed, password="") if typed else replace(_NOTHING, email=_address_in(step)),
        "wrong": _wrong_field(step),
        **new_password(page_context, step.password_rules),
    }


def _read(form: Parameters, bare: RegisterAnswer) -> RegisterAnswer | None:
    """What was entered, complete or not: authz decides what is missing."""
    entered = Registration(
        email=trimmed(read_typed(form, "email")),
        first_name=trimmed(read_typed(form, "first_name")),
        last_name=trimmed(read_typed(form, "last_name")),
        password=read_typed(form, "password"),
    )
    return None if entered == _NOTHING else replace(bare, registration=entered)


def _address_in(step: RegisterStep) -> str:
    return step.login_name if "@" in step.login_name else ""


def _wrong_field(step: RegisterStep) -> str:
    return _FIELDS.get(step.detail, "form") if step.problem is Problem.INVALID_FIELD else ""


METHOD = Method("register.html", RegisterStep, RegisterAnswer, _read, _context)
