from __future__ import annotations

from typing import Any

from portico_contracts.users import PasswordRules

from portico_login_ui.methods.method import PageContext
from portico_login_ui.scripts import loads, page_script


def page_script_of(page_context: PageContext[Any]) -> dict[str, Any]:
    """The script of a page with a password."""
    return loads(page_script(), page_context.issuer)


def new_password(page_context: PageContext[Any], rules: PasswordRules | None) -> dict[str, Any]:
    """The rules for the new password, and the script."""
    return {"rules": rules, **page_script_of(page_context)}
