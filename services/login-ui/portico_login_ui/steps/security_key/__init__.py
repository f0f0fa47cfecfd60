from __future__ import annotations

from portico_contracts.login_steps.security_key import SecurityKeyAnswer, SecurityKeyStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.codes import read_other_factor, with_trust
from portico_login_ui.methods.credential import key_script_of, read_credential
from portico_login_ui.methods.method import Method


def _read(form: Parameters, bare: SecurityKeyAnswer) -> SecurityKeyAnswer | None:
    return read_other_factor(form, bare) or read_credential(form, with_trust(form, bare))


METHOD = Method("security_key.html", SecurityKeyStep, SecurityKeyAnswer, _read, key_script_of)
