"""The page that sets up an authenticator app: a QR code, the same to be typed, and the field of the first code."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_web.qr_code import grouped, qr_code
from starlette.responses import Response

from portico_login_ui.methods.enrolment.choose import read_back
from portico_login_ui.methods.factor import read_code
from portico_login_ui.methods.method import PageContext, step_page


class EnrolTotp:
    """The secret is on this page alone, and its QR code is an image within it: no request for either can be logged."""

    step = StepName.ENROL_TOTP

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        step = page_context.step
        return step_page(
            "enrol_totp.html", page_context, image=qr_code(step.uri) if step.uri else "", typed=grouped(step.secret)
        )

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code of the app, or the request to choose again."""
        return read_back(form, bare) or read_code(form, bare)
