from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from portico_contracts.http import FORGOT_PASSWORD_PAGE, LOGIN
from portico_contracts.login_steps.password import PasswordAnswer, PasswordStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method, PageContext, read_typed
from portico_login_ui.methods.new_password import page_script_of


def _context(page_context: PageContext[PasswordStep]) -> dict[str, Any]:
    """The link for a forgotten password, if one may be set, and the script."""
    forgot = page_context.action.replace(LOGIN, FORGOT_PASSWORD_PAGE, 1) if page_context.step.may_reset else ""
    return {"forgot": forgot, **page_script_of(page_context)}


def _read(form: Parameters, bare: PasswordAnswer) -> PasswordAnswer | None:
    """The password as it is, blanks and all; or the request for a passkey or an emailed code."""
    if "passkey" in form:
        return replace(bare, passkey=True)
    if "email_code" in form:
        return replace(bare, email_code=True)
    password = read_typed(form, "password")
    return replace(bare, password=password) if password else None


METHOD = Method("password.html", PasswordStep, PasswordAnswer, _read, _context)
