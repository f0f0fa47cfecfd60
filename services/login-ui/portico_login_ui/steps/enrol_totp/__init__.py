from __future__ import annotations

from typing import Any

from portico_contracts.login_steps.enrol_totp import EnrolTotpAnswer, EnrolTotpStep
from portico_oauth.parameters import Parameters
from portico_web.qr_code import grouped, qr_code

from portico_login_ui.methods.codes import read_back, read_code
from portico_login_ui.methods.method import Method, PageContext
from portico_login_ui.scripts import loads, page_script


def _context(page_context: PageContext[EnrolTotpStep]) -> dict[str, Any]:
    """The secret, as a QR code within the page, so that no request for it can be logged, and to be typed."""
    step = page_context.step
    shown = {"uri": step.uri, "image": qr_code(step.uri) if step.uri else "", "typed": grouped(step.secret)}
    return {**shown, **loads(page_script(), page_context.issuer)}


def _read(form: Parameters, bare: EnrolTotpAnswer) -> EnrolTotpAnswer | None:
    """The first code of the app, or the request to choose again."""
    return read_back(form, bare) or read_code(form, bare)


METHOD = Method("enrol_totp.html", EnrolTotpStep, EnrolTotpAnswer, _read, _context)
