"""The pages of authenticators. They have a script: browsers offer WebAuthn to scripts only."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_web.key_script import key_script
from starlette.responses import Response

from portico_login_ui.methods.factor import read_factor
from portico_login_ui.methods.method import PageContext, step_page
from portico_login_ui.methods.webauthn.credential import read_credential
from portico_login_ui.scripts import loads


class SecurityKey:
    """The page of a key as a second factor."""

    step = StepName.SECURITY_KEY

    def show(self, page_context: PageContext) -> Response:
        """The page, with the challenge."""
        return _page("security_key.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What the key answered, or the request for another factor."""
        return read_factor(form, bare) or read_credential(form, bare)


class Passkey:
    """The page of a passkey, which both identifies and authenticates the user."""

    step = StepName.PASSKEY

    def show(self, page_context: PageContext) -> Response:
        """The page, with the challenge."""
        return _page("passkey.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What the key answered."""
        return read_credential(form, bare)


def _page(template: str, page_context: PageContext) -> Response:
    return step_page(template, page_context, **loads(key_script(), page_context.issuer))
