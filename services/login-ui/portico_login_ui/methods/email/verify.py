"""Requests the emailed code. The page is the same for an address that has an account already (LG-01)."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page


class VerifyEmail:
    """The page after a registration, and of an address that must be verified before the sign-in goes on."""

    step = StepName.VERIFY_EMAIL

    def show(self, page_context: PageContext) -> Response:
        """The page, with the address the code went to."""
        return step_page("verify_mail.html", page_context, resent=page_context.resent)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code without blanks, which come with copying; or the request for another one."""
        if "resend" in form:
            return replace(bare, resend=True)
        code = code_letters(read_typed(form, "code"))
        return replace(bare, code=code) if code else None
