"""What an organization demands at sign-in; where it sets nothing, the rules of the instance apply."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final, cast

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import EnrolmentName, MultiFactorName, SecondFactorName
from portico_contracts.users import GRANTABLE, EnrolmentDemand, Factor
from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.fields import Field, Fields, Words
from portico_users.kernel.problems import Problem, Problems

MAX_IDPS: Final = 50
"""They are buttons of one page."""

TOO_MANY_OFFERED = ErrorCode(
    "USER-623", Kind.INVALID_REQUEST, "Too many identity providers are offered.", "Offer at most 50 of them."
)

FORCED_WITHOUT = ErrorCode(
    "USER-883",
    Kind.FAILED_PRECONDITION,
    "A second factor is required, but no factor is allowed.",
    "Allow a factor, or do not require one.",
)


class LoginRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The rules an organization or the instance sets; None for what it leaves open.

    Attributes:
        may_register: people may make an account themselves.
        verified_mail: a sign-in ends only with a verified email address.
        force_mfa: it ends only with a second factor, or a passkey.
        hide_password_reset: a user who forgot the password gets no email with a link to set another one.
        allow_external_idp: people may sign in with an identity provider that is offered.
        idps: ids of the identity providers that are offered, in this order.
        second_factors: what counts after a password.
        multi_factors: what is several factors in one: the whole sign-in, or what counts after a password.
        enrolment: what a user without the second factor that is demanded needs to register one at sign-in.
    """

    may_register: bool | None = None
    verified_mail: bool | None = None
    force_mfa: bool | None = None
    hide_password_reset: bool | None = None
    allow_external_idp: bool | None = None
    idps: tuple[str, ...] | None = None
    second_factors: tuple[Factor, ...] | None = None
    multi_factors: tuple[Factor, ...] | None = None
    enrolment: EnrolmentDemand | None = None


STANDARD: Final = LoginRules(
    may_register=True,
    verified_mail=False,
    force_mfa=False,
    hide_password_reset=False,
    allow_external_idp=True,
    idps=(),
    second_factors=tuple(factor for factor in GRANTABLE if factor is not Factor.PASSKEY),
    multi_factors=(Factor.PASSKEY,),
    enrolment=EnrolmentDemand.EMAIL,
)
"""The rules in force where neither sets them."""


class _Factors:
    """Converts a list of factors: the strongest first, each once."""

    def __init__(self, factors: Mapping[str, Factor]) -> None:
        self._factors = dict(factors)

    def read(self, value: object) -> tuple[Factor, ...]:
        names = cast("Container[str]", value)
        return tuple(factor for name, factor in self._factors.items() if name in names)

    def write(self, value: object) -> tuple[str, ...]:
        allowed = cast("Container[Factor]", value)
        return tuple(name for name, factor in self._factors.items() if factor in allowed)


LOGIN_FIELDS: Final = Fields(
    LoginRules,
    document.LoginPolicy,
    (
        Field(
            "second_factors",
            conversion=_Factors(
                {
                    SecondFactorName.U2F: Factor.U2F,
                    SecondFactorName.OTP: Factor.TOTP,
                    SecondFactorName.OTP_EMAIL: Factor.OTP_EMAIL,
                }
            ),
        ),
        Field("multi_factors", conversion=_Factors({MultiFactorName.U2F_WITH_VERIFICATION: Factor.PASSKEY})),
        Field("enrolment", conversion=Words({one: EnrolmentDemand(one.value) for one in EnrolmentName})),
    ),
    hidden=("idps",),
)
"""What documents declare; their identity providers are named."""


def may_register(*rules: LoginRules) -> bool:
    """End users may create an account themselves."""
    return bool(_in_force("may_register", rules))


def verified_mail(*rules: LoginRules) -> bool:
    """A sign-in ends only with a verified email address."""
    return bool(_in_force("verified_mail", rules))


def force_mfa(*rules: LoginRules) -> bool:
    """A sign-in ends only with a second factor, or a passkey."""
    return bool(_in_force("force_mfa", rules))


def hide_password_reset(*rules: LoginRules) -> bool:
    """No email with a link to set another password."""
    return bool(_in_force("hide_password_reset", rules))


def offered_idps(*rules: LoginRules) -> tuple[str, ...]:
    """The ids of the identity providers that are offered, in their order."""
    return tuple(_in_force("idps", rules))


def allow_external_idp(*rules: LoginRules) -> bool:
    """People may sign in with an identity provider that is offered."""
    return bool(_in_force("allow_external_idp", rules))


def sign_in_idps(*rules: LoginRules) -> tuple[str, ...]:
    """The ids of the identity providers that people may sign in with; none where that is not allowed at all."""
    return offered_idps(*rules) if allow_external_idp(*rules) else ()


def enrolment(*rules: LoginRules) -> EnrolmentDemand:
    """What a user without the second factor that is demanded needs to register one at sign-in."""
    return EnrolmentDemand(_in_force("enrolment", rules))


def second_factors(*rules: LoginRules) -> tuple[Factor, ...]:
    """The factors that are allowed after a password."""
    return tuple(_in_force("second_factors", rules))


def multi_factors(*rules: LoginRules) -> tuple[Factor, ...]:
    """The factors that are several in one."""
    return tuple(_in_force("multi_factors", rules))


def _in_force(name: str, rules: tuple[LoginRules, ...]) -> Any:
    """The value of a rule from the first that sets it."""
    return next(value for one in (*rules, STANDARD) if (value := getattr(one, name)) is not None)


def factors(*rules: LoginRules) -> tuple[Factor, ...]:
    """What counts besides a password, the strongest first."""
    allowed = {*second_factors(*rules), *multi_factors(*rules)}
    return tuple(factor for factor in GRANTABLE if factor in allowed)


def admits_no_user(*rules: LoginRules) -> bool:
    """They demand a second factor, and let none count."""
    return force_mfa(*rules) and not factors(*rules)


def narrows(before: LoginRules, after: LoginRules) -> bool:
    """Rules of the instance demand a factor, or allow none of a kind, and did not before: organizations may rely on it."""
    return (
        (force_mfa(after) and not force_mfa(before))
        or bool(second_factors(before) and not second_factors(after))
        or bool(multi_factors(before) and not multi_factors(after))
    )


def between(before: LoginRules, after: LoginRules) -> LoginRules:
    """The later rules, without what narrows: a sign-in that ends with either ends with these."""
    return msgspec.structs.replace(
        after,
        force_mfa=after.force_mfa if force_mfa(before) else before.force_mfa,
        second_factors=after.second_factors if second_factors(after) else before.second_factors,
        multi_factors=after.multi_factors if multi_factors(after) else before.multi_factors,
    )


def problems_of(rules: LoginRules) -> Problems:
    """What is wrong with the rules of one of them by themselves, by the names of the management API."""
    if admits_no_user(rules):
        yield Problem("forceMfa", FORCED_WITHOUT)
