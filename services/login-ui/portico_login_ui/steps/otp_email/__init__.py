from __future__ import annotations

from portico_contracts.login_steps.otp_email import OtpEmailAnswer, OtpEmailStep

from portico_login_ui.methods.codes import read_sent_factor_code, resent_of
from portico_login_ui.methods.method import Method

METHOD = Method("otp_email.html", OtpEmailStep, OtpEmailAnswer, read_sent_factor_code, resent_of)
