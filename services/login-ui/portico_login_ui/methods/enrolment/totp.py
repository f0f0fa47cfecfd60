"""The page that sets up an authenticator app: a QR code, the same to be typed, and the field of the first code."""

from __future__ import annotations

from typing import Final

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.enrolment.choose import read_back
from portico_login_ui.methods.factor import read_code
from portico_login_ui.methods.method import PageContext, step_page

_GROUP: Final = 4
"""Letters between two blanks of a secret, so that it can be typed; apps ignore them."""


class EnrolTotp:
    """The secret is on this page alone, and its QR code is an image within it: no request for either can be logged."""

    step = StepName.ENROL_TOTP

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        step = page_context.step
        return step_page(
            "enrol_totp.html", page_context, image=_image_of(step.uri) if step.uri else "", typed=_grouped(step.secret)
        )

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code of the app, or the request to choose again."""
        return read_back(form, bare) or read_code(form, bare)


def _image_of(uri: str) -> str:
    """The QR code as a data URI, dark on white whatever the colours of the page are, since cameras need that."""
    # Most processes draw none for hours, and do without the library (decision 0044).
    import segno  # noqa: PLC0415 - see above

    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=5, border=4, dark="#000", light="#fff"))


def _grouped(secret: str) -> str:
    return " ".join(secret[start : start + _GROUP] for start in range(0, len(secret), _GROUP))
