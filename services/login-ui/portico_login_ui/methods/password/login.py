"""The page of the password; it shows the login name, so that a password manager knows whose it is."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.http import FORGOT_PASSWORD_PAGE, LOGIN
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page
from portico_login_ui.scripts import loads, password_script


class Password:
    """The page after the login name, the same for names without an account (LG-01)."""

    step = StepName.PASSWORD

    def show(self, page_context: PageContext) -> Response:
        """The page; never with a password in it."""
        forgot = page_context.action.replace(LOGIN, FORGOT_PASSWORD_PAGE, 1) if page_context.step.may_reset else ""
        return step_page("password.html", page_context, forgot=forgot, **loads(password_script(), page_context.issuer))

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The password as it is, blanks and all; or the request for a passkey."""
        if "passkey" in form:
            return replace(bare, passkey=True)
        password = read_typed(form, "password")
        return replace(bare, password=password) if password else None
