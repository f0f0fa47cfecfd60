from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from portico_contracts.login_steps.change_password import ChangePasswordAnswer, ChangePasswordStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method, PageContext, read_typed
from portico_login_ui.methods.new_password import new_password


def _context(page_context: PageContext[ChangePasswordStep]) -> dict[str, Any]:
    return new_password(page_context, page_context.step.password_rules)


def _read(form: Parameters, bare: ChangePasswordAnswer) -> ChangePasswordAnswer | None:
    """Both passwords as they are: a session left open is not enough to change the password (LG-24)."""
    current, new = read_typed(form, "password"), read_typed(form, "new_password")
    return replace(bare, password=current, new_password=new) if current and new else None


METHOD = Method("change_password.html", ChangePasswordStep, ChangePasswordAnswer, _read, _context)
