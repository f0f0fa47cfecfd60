from __future__ import annotations

from portico_contracts.login import KeyAnswer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Secret


class EnrolPasskeyStep(Step, frozen=True, tag="enrol_passkey"):
    """`options` is JSON for ``navigator.credentials.create()``.

    `registering`: the passkey is of a new account, in place of a password; `may_skip`: there is another way to sign in.
    """

    name = StepName.ENROL_PASSKEY
    options: Secret = ""
    registering: bool = False
    may_skip: bool = False


class EnrolPasskeyAnswer(KeyAnswer, frozen=True, tag="enrol_passkey"):
    """The attestation; `other` is `ENROL`, to choose again; `skip`: a new account gets no passkey now."""

    step = StepName.ENROL_PASSKEY
    other: StepName | None = None
    skip: bool = False
