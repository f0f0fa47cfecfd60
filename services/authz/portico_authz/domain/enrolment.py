"""Enrolment: which step registers the second factor of a user who has none, where one is demanded (decision 0046)."""

from __future__ import annotations

from typing import Final

from portico_contracts.login import StepName
from portico_contracts.users import EnrolmentDemand, Factor, LoginPolicy

from portico_authz.domain.auth_request import Enrolment
from portico_authz.domain.factors import REGISTRATIONS

ENROLLED_BY: Final = {
    StepName.ENROL_PASSKEY: Factor.PASSKEY,
    StepName.ENROL_KEY: Factor.U2F,
    StepName.ENROL_TOTP: Factor.TOTP,
}
"""The factor a step registers, the strongest first."""

ENROLMENT_STEPS: Final = REGISTRATIONS | {StepName.ENROL_EMAIL, StepName.ENROL, StepName.RECOVERY_CODES}
"""Every step of an enrolment."""


def registrations_of(policy: LoginPolicy) -> tuple[StepName, ...]:
    """The steps of the factors that count and can be registered at sign-in, the strongest first."""
    return tuple(step for step, factor in ENROLLED_BY.items() if factor in policy.factors)


def may_enrol(policy: LoginPolicy, *, email_verified: bool) -> bool:
    """A user without a factor may register one: there is one that counts, and a way to know who asks.

    Of an organization that is not known the policy permits none (`directory.STRICTEST`).
    """
    if policy.enrolment is EnrolmentDemand.NONE or not registrations_of(policy):
        return False
    return email_verified or policy.enrolment is EnrolmentDemand.PASSWORD


def enrolment_step(policy: LoginPolicy, enrolment: Enrolment | None) -> StepName:
    """The step an enrolment is at."""
    if policy.enrolment is not EnrolmentDemand.PASSWORD and (enrolment is None or not enrolment.is_open):
        return StepName.ENROL_EMAIL
    if enrolment is None or enrolment.chosen not in registrations_of(policy):
        return StepName.ENROL
    return enrolment.chosen or StepName.ENROL
