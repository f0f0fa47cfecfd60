from __future__ import annotations

from portico_contracts.login_steps.enrol_email import EnrolEmailAnswer, EnrolEmailStep

from portico_login_ui.methods.codes import read_sent_code, resent_of
from portico_login_ui.methods.method import Method

METHOD = Method("enrol_mail.html", EnrolEmailStep, EnrolEmailAnswer, read_sent_code, resent_of)
