"""The page of the code of an authenticator app (TOTP)."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.factor import read_code
from portico_login_ui.methods.method import PageContext, step_page


class Totp:
    """The page of the authenticator app."""

    step = StepName.TOTP

    def show(self, page_context: PageContext) -> Response:
        """The page; never with a code in it."""
        return step_page("totp.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code, or the request for another factor."""
        return read_code(form, bare)
