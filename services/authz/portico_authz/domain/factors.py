"""Second factors: which of them a user has to verify, in which order, the acr they can reach, and which can be registered."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import EnrolmentDemand, Factor, LoginPolicy, User
from portico_oauth.assurance import (
    ACR_MULTI_FACTOR,
    ACR_PASSWORD,
    ACR_PHISHING_RESISTANT,
    ACR_PHRH,
    ONE_TIME_CODE,
    TEXT_MESSAGE,
    level_of,
    webauthn_methods,
)

from portico_authz.domain.progress import Enrolment

WEBAUTHN_FACTORS: Final = (Factor.U2F, Factor.PASSKEY)

KEY_REGISTRATIONS: Final = frozenset({StepName.ENROL_PASSKEY, StepName.ENROL_KEY})

REGISTRATIONS: Final = KEY_REGISTRATIONS | {StepName.ENROL_TOTP}
"""The steps that register a factor (`domain.enrolment`)."""

_FACTORS: Final = {
    StepName.SECURITY_KEY: WEBAUTHN_FACTORS,
    StepName.TOTP: (Factor.TOTP,),
    StepName.OTP_EMAIL: (Factor.OTP_EMAIL,),
    StepName.OTP_SMS: (Factor.OTP_SMS,),
    StepName.RECOVERY_CODE: (Factor.RECOVERY_CODE,),
}
"""By step, strongest first. A passkey is also usable as a security key."""

SECOND_FACTORS: Final = frozenset(_FACTORS)

FACTOR_STEPS: Final = SECOND_FACTORS | {StepName.PASSKEY}
"""The steps that a password cannot replace."""

EMAILED_STEPS: Final = frozenset({StepName.VERIFY_EMAIL, StepName.EMAIL_CODE})
"""The steps before a second factor whose emailed code works once."""

WEBAUTHN_STEPS: Final = frozenset({StepName.PASSKEY, StepName.SECURITY_KEY})


RENEW_SECONDS: Final = 150
"""A WebAuthn challenge is valid for 5 minutes; a page reloaded in the second half gets a new one."""


def methods_of(step: StepName, *, device_bound: bool) -> tuple[str, ...]:
    """The amr values (RFC 8176) of a factor that was verified or registered; `device_bound` is of keys."""
    if step in WEBAUTHN_STEPS | KEY_REGISTRATIONS:
        return webauthn_methods(device_bound=device_bound)
    return (ONE_TIME_CODE, TEXT_MESSAGE) if step is StepName.OTP_SMS else (ONE_TIME_CODE,)


def allowed_factors_of(
    factors: Collection[Factor], policy: LoginPolicy, *, emailed: bool = False
) -> tuple[Factor, ...]:
    """`emailed`: the first factor was an emailed code, and a second one proves nothing more."""
    counting = (factor for factor in factors if not (emailed and factor is Factor.OTP_EMAIL))
    return tuple(factor for factor in counting if is_allowed(factor, policy))


def has_usable_password(user: User, policy: LoginPolicy) -> bool:
    """`policy` is that of the user's organization, which may not allow passwords (decision 0143)."""
    return user.has_password and policy.password_sign_in


def is_allowed(factor: Factor, policy: LoginPolicy) -> bool:
    return factor is Factor.RECOVERY_CODE or factor in policy.factors


def may_begin_with_passkey(policy: LoginPolicy) -> bool:
    return policy.passkey_sign_in and is_allowed(Factor.PASSKEY, policy)


def steps_of(factors: Collection[Factor]) -> tuple[StepName, ...]:
    """Most likely first. Recovery codes replace another factor and require none by themselves."""
    if not factors:
        return ()
    steps = tuple(step for step, served in _FACTORS.items() if any(factor in factors for factor in served))
    return () if steps == (StepName.RECOVERY_CODE,) else steps


def factor_step(factors: Collection[Factor], chosen: StepName | None, *, forced: bool) -> StepName | None:
    """`forced`: the organization requires a second factor of every user."""
    steps = steps_of(factors)
    if not steps:
        return StepName.FACTOR_MISSING if forced else None
    return chosen if chosen in steps else steps[0]


def reachable_level(factors: Collection[Factor], *, essential: bool = False) -> int:
    """Only an essential request asks a user again whose key may be bound to its device: only the key knows."""
    steps = steps_of(factors)
    if StepName.SECURITY_KEY in steps:
        return level_of(ACR_PHRH if essential else ACR_PHISHING_RESISTANT)
    return level_of(ACR_MULTI_FACTOR if steps else ACR_PASSWORD)


ENROLLED_BY: Final = {
    StepName.ENROL_PASSKEY: Factor.PASSKEY,
    StepName.ENROL_KEY: Factor.U2F,
    StepName.ENROL_TOTP: Factor.TOTP,
    StepName.OTP_EMAIL: Factor.OTP_EMAIL,
}
"""The factor that a step registers, strongest first."""

ENROLMENT_STEPS: Final = REGISTRATIONS | {StepName.ENROL_EMAIL, StepName.ENROL, StepName.RECOVERY_CODES}


def registers_passkey(user: User, policy: LoginPolicy) -> bool:
    """Whether a new account without a password gets a passkey, for which its policy permits an enrolment."""
    is_possible = may_begin_with_passkey(policy) and may_enrol(policy, email_verified=user.email_verified, emailed=True)
    return is_possible and not allowed_factors_of(user.factors, policy)


def may_skip_passkey(policy: LoginPolicy) -> bool:
    """Without a passkey, the user of a new account without a password signs in with emailed codes."""
    return policy.email_code_sign_in


def registrations_of(policy: LoginPolicy, *, emailed: bool = False) -> tuple[StepName, ...]:
    """`OTP_EMAIL` needs no registration, only the code that opened the enrolment; after an emailed code as the first
    factor (`emailed`) it would prove nothing more.
    """
    by_email = policy.enrolment is EnrolmentDemand.EMAIL and not emailed
    return tuple(
        step
        for step, factor in ENROLLED_BY.items()
        if factor in policy.factors and (by_email or step is not StepName.OTP_EMAIL)
    )


def may_enrol(policy: LoginPolicy, *, email_verified: bool, emailed: bool) -> bool:
    """The policy of an unknown organization permits no enrolment (`users_client.STRICTEST`)."""
    if policy.enrolment is EnrolmentDemand.NONE or not registrations_of(policy, emailed=emailed):
        return False
    return email_verified or policy.enrolment is EnrolmentDemand.PASSWORD


def enrolment_step(policy: LoginPolicy, enrolment: Enrolment | None) -> StepName:
    if policy.enrolment is not EnrolmentDemand.PASSWORD and (enrolment is None or not enrolment.is_open):
        return StepName.ENROL_EMAIL
    if enrolment is None or enrolment.chosen not in registrations_of(policy):
        return StepName.ENROL
    return enrolment.chosen or StepName.ENROL
