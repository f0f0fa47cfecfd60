from __future__ import annotations

from portico_contracts.login_steps.verify_email import VerifyEmailAnswer, VerifyEmailStep

from portico_login_ui.methods.codes import read_sent_code, resent_of
from portico_login_ui.methods.method import Method

METHOD = Method("verify_mail.html", VerifyEmailStep, VerifyEmailAnswer, read_sent_code, resent_of)
