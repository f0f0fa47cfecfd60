"""What an organization demands at sign-in, and where it says nothing, the instance."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.users import GRANTABLE, Factor
from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.problems import Problem, Problems

MAX_IDPS: Final = 50
"""They are buttons of one page."""

TOO_MANY_OFFERED = ErrorCode(
    "USER-623", Kind.INVALID_REQUEST, "Too many identity providers are offered.", "Offer at most 50 of them."
)

FORCED_WITHOUT = ErrorCode(
    "USER-883",
    Kind.FAILED_PRECONDITION,
    "A second factor is demanded, and none is allowed.",
    "Allow one, or demand none.",
)


class LoginRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The rules one of them sets; None where it says nothing.

    Attributes:
        may_register: people may make an account themselves.
        verified_mail: a sign-in ends only with a verified mail address.
        force_mfa: it ends only with a second factor, or a passkey.
        hide_password_reset: who forgot their password is mailed no link to set another one.
        idps: ids of the identity providers that are offered, in this order.
        second_factors: what counts after a password.
        multi_factors: what is several factors in one: the whole sign-in, or what counts after a password.
    """

    may_register: bool | None = None
    verified_mail: bool | None = None
    force_mfa: bool | None = None
    hide_password_reset: bool | None = None
    idps: tuple[str, ...] | None = None
    second_factors: tuple[Factor, ...] | None = None
    multi_factors: tuple[Factor, ...] | None = None


STANDARD: Final = LoginRules(
    may_register=True,
    verified_mail=False,
    force_mfa=False,
    hide_password_reset=False,
    idps=(),
    second_factors=tuple(factor for factor in GRANTABLE if factor is not Factor.PASSKEY),
    multi_factors=(Factor.PASSKEY,),
)
"""What holds where nobody says anything."""


def may_register(*rules: LoginRules) -> bool:
    """What the first of them says that says something."""
    return next((one.may_register for one in (*rules, STANDARD) if one.may_register is not None), False)


def verified_mail(*rules: LoginRules) -> bool:
    """What the first of them says that says something."""
    return next((one.verified_mail for one in (*rules, STANDARD) if one.verified_mail is not None), True)


def force_mfa(*rules: LoginRules) -> bool:
    """What the first of them says that says something."""
    return next((one.force_mfa for one in (*rules, STANDARD) if one.force_mfa is not None), True)


def hide_password_reset(*rules: LoginRules) -> bool:
    """What the first of them says that says something."""
    said = (one.hide_password_reset for one in (*rules, STANDARD) if one.hide_password_reset is not None)
    return next(said, True)


def offered_idps(*rules: LoginRules) -> tuple[str, ...]:
    """What the first of them says that says something."""
    return next((one.idps for one in (*rules, STANDARD) if one.idps is not None), ())


def second_factors(*rules: LoginRules) -> tuple[Factor, ...]:
    """What the first of them says that says something."""
    return next((one.second_factors for one in (*rules, STANDARD) if one.second_factors is not None), ())


def multi_factors(*rules: LoginRules) -> tuple[Factor, ...]:
    """What the first of them says that says something."""
    return next((one.multi_factors for one in (*rules, STANDARD) if one.multi_factors is not None), ())


def factors(*rules: LoginRules) -> tuple[Factor, ...]:
    """What counts besides a password, the strongest first."""
    allowed = {*second_factors(*rules), *multi_factors(*rules)}
    return tuple(factor for factor in GRANTABLE if factor in allowed)


def lets_nobody_in(*rules: LoginRules) -> bool:
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
    """The later rules, without what narrows: whoever is let in by the ones or the others is let in by these."""
    return msgspec.structs.replace(
        after,
        force_mfa=after.force_mfa if force_mfa(before) else before.force_mfa,
        second_factors=after.second_factors if second_factors(after) else before.second_factors,
        multi_factors=after.multi_factors if multi_factors(after) else before.multi_factors,
    )


def problems_of(rules: LoginRules) -> Problems:
    """What is wrong with what one of them says by itself, by the names of the management API."""
    if lets_nobody_in(rules):
        yield Problem("forceMfa", FORCED_WITHOUT)
