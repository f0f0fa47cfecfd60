"""The page of the emailed code without which no second factor is registered."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.factor import read_code
from portico_login_ui.methods.method import PageContext, step_page


class EnrolEmail:
    """It shows the masked address; without the address when no code could be sent."""

    step = StepName.ENROL_EMAIL

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        return step_page("enrol_mail.html", page_context, resent=page_context.resent)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code, or the request for another one."""
        return replace(bare, resend=True) if "resend" in form else read_code(form, bare)
