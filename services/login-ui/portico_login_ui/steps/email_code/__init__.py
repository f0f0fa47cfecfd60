from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login_steps.email_code import EmailCodeAnswer, EmailCodeStep
from portico_contracts.step_names import StepName
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.codes import read_sent_code, resent_of
from portico_login_ui.methods.method import Method


def _read(form: Parameters, bare: EmailCodeAnswer) -> EmailCodeAnswer | None:
    """The code that replaces a password, or the request for another one, or for the password."""
    return replace(bare, other=StepName.PASSWORD) if "password" in form else read_sent_code(form, bare)


METHOD = Method("email_code.html", EmailCodeStep, EmailCodeAnswer, _read, resent_of)
