from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, Generic, NamedTuple, TypeVar, cast

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import EnrolmentName, FirstFactorName, MultiFactorName, SecondFactorName
from portico_contracts.users import GRANTABLE, GRANTED, EnrolmentDemand, Factor, FirstFactor, SignInFrom
from portico_oauth.errors import ErrorCode, Kind

from portico_users.policies.place_rules import SIGN_IN_FROM, problems_of_places
from portico_users.values.fields import Field, Fields, Words
from portico_users.values.problems import Problem, Problems

MAX_IDPS: Final = 50
"""Limited, because each is a button on one page."""

TOO_MANY_OFFERED = ErrorCode(
    "USER-623", Kind.INVALID_REQUEST, "Too many identity providers are offered.", "Offer at most 50 identity providers."
)

FORCED_WITHOUT = ErrorCode(
    "USER-883",
    Kind.FAILED_PRECONDITION,
    "A second factor is required, but none is allowed.",
    "Allow a factor, or do not require one.",
)


NO_FIRST_FACTOR = ErrorCode(
    "USER-180",
    Kind.INVALID_REQUEST,
    "No first factor is allowed.",
    "Allow at least one of password, passkey, emailed code and identity provider; or remove the rule.",
)
NO_FIRST_FACTOR_LEFT = ErrorCode(
    "USER-181",
    Kind.FAILED_PRECONDITION,
    "Sign-ins may begin with an identity provider, but no active one is offered.",
    "Offer an active identity provider, or allow another first factor.",
)


class LoginRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The login rules of an organization or the instance; None inherits a rule.

    Attributes:
        verified_mail: sign-in requires a verified email address.
        force_mfa: sign-in requires a second factor or a passkey.
        idps: ids of the offered identity providers, in display order.
        second_factors: allowed after a password.
        multi_factors: combine several factors; allowed as the whole sign-in or after a password.
        allow_device_authorization: users may sign in on devices (RFC 8628).
        allow_email_code_sign_in: an emailed code may replace the password.
        enrolment: requirement for enrolling a required second factor at sign-in.
        allow_account_deletion: users may delete their own accounts.
        trusted_device_days: users may trust a browser for so many days, without a second factor; 0 for never.
        first_factors: how a sign-in may begin, instead of what the other rules allow (decision 0143).
        exempt_instance_owners: instance owners may begin with a password all the same.
        redirect_to_provider: login names of a domain lead to the only provider without a page (decision 0144).
        join_by_domain: new accounts with a proven address of a verified domain belong to the organization.
        sign_in_from: rules by network and country (decision 0145).
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
    allow_device_authorization: bool | None = None
    allow_email_code_sign_in: bool | None = None
    trusted_device_days: int | None = None
    allow_account_deletion: bool | None = None
    first_factors: tuple[FirstFactor, ...] | None = None
    exempt_instance_owners: bool | None = None
    redirect_to_provider: bool | None = None
    join_by_domain: bool | None = None
    sign_in_from: SignInFrom | None = None


_AnyFactor = TypeVar("_AnyFactor", Factor, FirstFactor)


class _Factors(Generic[_AnyFactor]):
    """Converts a list of factors: in this order, each once."""

    def __init__(self, factors: Mapping[str, _AnyFactor]) -> None:
        self._factors: dict[str, _AnyFactor] = dict(factors)

    def read(self, value: object) -> tuple[_AnyFactor, ...]:
        names = cast("Container[str]", value)
        return tuple(factor for name, factor in self._factors.items() if name in names)

    def write(self, value: object) -> tuple[str, ...]:
        allowed = cast("Container[_AnyFactor]", value)
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
                    SecondFactorName.OTP_SMS: Factor.OTP_SMS,
                }
            ),
        ),
        Field("multi_factors", conversion=_Factors({MultiFactorName.U2F_WITH_VERIFICATION: Factor.PASSKEY})),
        Field("first_factors", conversion=_Factors({one: FirstFactor(one.value) for one in FirstFactorName})),
        Field("enrolment", conversion=Words({one: EnrolmentDemand(one.value) for one in EnrolmentName})),
        Field("sign_in_from", conversion=SIGN_IN_FROM),
    ),
    hidden=("idps",),
)
"""What documents declare; their identity providers are named."""


_AFTER_A_PASSWORD: Final = tuple(factor for factor in GRANTED if factor is not Factor.PASSKEY)


class RulesInForce(NamedTuple):
    """The same rules as they are in force; `LoginRules` describes each."""

    may_register: bool = True
    verified_mail: bool = False
    force_mfa: bool = False
    hide_password_reset: bool = False
    allow_external_idp: bool = True
    idps: tuple[str, ...] = ()
    second_factors: tuple[Factor, ...] = _AFTER_A_PASSWORD
    multi_factors: tuple[Factor, ...] = (Factor.PASSKEY,)
    enrolment: EnrolmentDemand = EnrolmentDemand.EMAIL
    allow_device_authorization: bool = False
    allow_email_code_sign_in: bool = False
    trusted_device_days: int = 0
    allow_account_deletion: bool = False
    first_factors: tuple[FirstFactor, ...] | None = None
    exempt_instance_owners: bool = False
    redirect_to_provider: bool = False
    join_by_domain: bool = False
    sign_in_from: SignInFrom | None = None

    def may_begin_with(self, first: FirstFactor) -> bool:
        """Reports whether a sign-in may begin so."""
        if self.first_factors is not None:
            return first in self.first_factors
        return {
            FirstFactor.PASSWORD: True,
            FirstFactor.PASSKEY: Factor.PASSKEY in self.multi_factors,
            FirstFactor.EMAIL_CODE: self.allow_email_code_sign_in,
            FirstFactor.PROVIDER: self.allow_external_idp,
        }[first]

    @property
    def sign_in_idps(self) -> tuple[str, ...]:
        """The ids of the identity providers that end users may sign in with; none where that is not allowed at all."""
        return self.idps if self.may_begin_with(FirstFactor.PROVIDER) else ()

    @property
    def factors(self) -> tuple[Factor, ...]:
        passkeys = (Factor.PASSKEY,) if self.may_begin_with(FirstFactor.PASSKEY) else ()
        allowed = {*self.second_factors, *self.multi_factors, *passkeys}
        return tuple(factor for factor in GRANTABLE if factor in allowed)


def in_force(*rules: LoginRules) -> RulesInForce:
    """Each rule from the first that sets it; the default where none does."""
    given = (rule for one in reversed(rules) for rule in msgspec.structs.asdict(one).items())
    return RulesInForce(**{name: value for name, value in given if value is not None})


def allows_devices(of_org: LoginRules, of_instance: LoginRules) -> bool:
    """An organization may forbid what the instance allows, not the other way round."""
    return in_force(of_instance).allow_device_authorization and of_org.allow_device_authorization is not False


def admits_no_user(*rules: LoginRules) -> bool:
    """Reports whether a second factor is required but none is allowed."""
    demanded = in_force(*rules)
    return demanded.force_mfa and not demanded.factors


def admits_only_by_text(*rules: LoginRules) -> bool:
    """Reports whether codes by text message are the only allowed second factor, and one is required."""
    demanded = in_force(*rules)
    return demanded.force_mfa and demanded.factors == (Factor.OTP_SMS,)


def states_passkey(rules: RulesInForce) -> bool:
    """Reports whether a rule of first factors allows passkeys, which are a second factor as well."""
    return FirstFactor.PASSKEY in (rules.first_factors or ())


def narrows(before: LoginRules, after: LoginRules) -> bool:
    """Reports whether an instance change newly requires a factor or removes all of a kind."""
    old, new = in_force(before), in_force(after)
    return (
        (new.force_mfa and not old.force_mfa)
        or bool(old.second_factors and not new.second_factors)
        or bool(old.multi_factors and not new.multi_factors)
        or (states_passkey(old) and not states_passkey(new))
    )


def between(before: LoginRules, after: LoginRules) -> LoginRules:
    """Returns the new rules without restrictions: any sign-in that either version allows is allowed."""
    old, new = in_force(before), in_force(after)
    return msgspec.structs.replace(
        after,
        force_mfa=after.force_mfa if old.force_mfa else before.force_mfa,
        second_factors=after.second_factors if new.second_factors else before.second_factors,
        multi_factors=after.multi_factors if new.multi_factors else before.multi_factors,
        first_factors=_either(old, new),
        idps=after.idps or before.idps,
    )


def _either(old: RulesInForce, new: RulesInForce) -> tuple[FirstFactor, ...] | None:
    """Returns None where one version has no rule, unless the other states passkeys, which count as second factors.

    Providers are included only if one version names them, because a rule that names them needs an active one.
    """
    stated = {*(old.first_factors or ()), *(new.first_factors or ())}
    if None in (old.first_factors, new.first_factors) and FirstFactor.PASSKEY not in stated:
        return None
    local = {one for one in FirstFactor if old.may_begin_with(one) or new.may_begin_with(one)} - {FirstFactor.PROVIDER}
    return tuple(one for one in FirstFactor if one in stated | local)


def problems_of(rules: LoginRules) -> Problems:
    if rules.first_factors == ():
        yield Problem("firstFactors", NO_FIRST_FACTOR)
    if admits_no_user(rules):
        yield Problem("forceMfa", FORCED_WITHOUT)
    yield from problems_of_places(rules.sign_in_from)
