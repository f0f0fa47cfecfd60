from __future__ import annotations

from portico_contracts.login import Answer, FirstStep
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class PasswordStep(FirstStep, frozen=True, tag="password"):
    """`may_reset`: a password reset by email is allowed; a passkey or an emailed code may be accepted instead.

    `without_password`: the page requests no password, because none is accepted; `for_owners`: except of instance
    owners.
    """

    name = StepName.PASSWORD
    may_reset: bool = False
    may_use_passkey: bool = False
    may_use_email_code: bool = False
    without_password: bool = False
    for_owners: bool = False


class PasswordAnswer(Answer, frozen=True, tag="password"):
    """The password; or `passkey` or `email_code` to sign in with one instead."""

    step = StepName.PASSWORD
    password: Secret = ""
    passkey: bool = False
    email_code: bool = False
