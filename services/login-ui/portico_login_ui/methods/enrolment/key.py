"""The pages that register a passkey, or a security key. They have a script: browsers offer WebAuthn to scripts only."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_web.key_script import key_script
from starlette.responses import Response

from portico_login_ui.methods.enrolment.choose import read_back
from portico_login_ui.methods.method import PageContext, step_page
from portico_login_ui.methods.webauthn.credential import read_credential
from portico_login_ui.scripts import loads


class EnrolPasskey:
    """The page of a new passkey."""

    step = StepName.ENROL_PASSKEY

    def show(self, page_context: PageContext) -> Response:
        """The page, with the challenge."""
        return step_page("enrol_passkey.html", page_context, **loads(key_script(), page_context.issuer))

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What the key made, or the request to choose again."""
        return read_back(form, bare) or read_credential(form, bare)


class EnrolKey:
    """The page of a new security key."""

    step = StepName.ENROL_KEY

    def show(self, page_context: PageContext) -> Response:
        """The page, with the challenge."""
        return step_page("enrol_key.html", page_context, **loads(key_script(), page_context.issuer))

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What the key made, or the request to choose again."""
        return read_back(form, bare) or read_credential(form, bare)
