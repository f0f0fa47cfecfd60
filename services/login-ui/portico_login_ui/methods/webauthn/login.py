"""Asks a key. These pages have a script: without one a browser does not let anybody speak with a key."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.factor import read_factor
from portico_login_ui.methods.method import Showing, step_page
from portico_login_ui.methods.webauthn.credential import read_credential
from portico_login_ui.scripts import key_script, loads


class SecurityKey:
    """The page of a key as a second factor."""

    step = StepName.SECURITY_KEY

    def show(self, showing: Showing) -> Response:
        """The page, with the challenge."""
        return _page("security_key.html", showing)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What the key answered, or the wish for another factor."""
        return read_factor(form, bare) or read_credential(form, bare)


class Passkey:
    """The page of a passkey, which both identifies and authenticates the user."""

    step = StepName.PASSKEY

    def show(self, showing: Showing) -> Response:
        """The page, with the challenge."""
        return _page("passkey.html", showing)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What the key answered."""
        return read_credential(form, bare)


def _page(template: str, showing: Showing) -> Response:
    return step_page(template, showing, **loads(key_script(), showing.issuer))
