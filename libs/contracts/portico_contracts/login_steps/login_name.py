from __future__ import annotations

from portico_contracts.login import Answer, FirstStep
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class LoginNameStep(FirstStep, frozen=True, tag="login_name"):
    """`may_use_passkey`: a passkey is accepted too."""

    name = StepName.LOGIN_NAME
    may_register: bool = False
    may_use_passkey: bool = False


class LoginNameAnswer(Answer, frozen=True, tag="login_name"):
    """The name, or another way.

    Attributes:
        register: continue with registration, where the organization allows it.
        passkey: sign in with a passkey instead.
        credential: the assertion as JSON for `PasskeyOffered`.
    """

    step = StepName.LOGIN_NAME
    login_name: str = ""
    register: bool = False
    passkey: bool = False
    credential: Secret = ""
