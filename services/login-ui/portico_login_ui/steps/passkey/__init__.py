from __future__ import annotations

from portico_contracts.login_steps.passkey import PasskeyAnswer, PasskeyStep

from portico_login_ui.methods.credential import key_script_of, read_credential
from portico_login_ui.methods.method import Method

METHOD = Method("passkey.html", PasskeyStep, PasskeyAnswer, read_credential, key_script_of)
