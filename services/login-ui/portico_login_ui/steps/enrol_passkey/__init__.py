from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login_steps.enrol_passkey import EnrolPasskeyAnswer, EnrolPasskeyStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.codes import read_back
from portico_login_ui.methods.credential import key_script_of, read_credential
from portico_login_ui.methods.method import Method


def _read(form: Parameters, bare: EnrolPasskeyAnswer) -> EnrolPasskeyAnswer | None:
    """The attestation, or the request to choose again or later."""
    if form.get("use") == "skip":
        return replace(bare, skip=True)
    return read_back(form, bare) or read_credential(form, bare)


METHOD = Method("enrol_passkey.html", EnrolPasskeyStep, EnrolPasskeyAnswer, _read, key_script_of)
