"""What an organization demands at sign-in, and where it says nothing, the instance."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.errors import Fact, Kind

MAX_IDPS: Final = 50
"""They are buttons of one page."""

TOO_MANY_OFFERED = Fact(
    "USER-623", Kind.MALFORMED, "Too many identity providers are offered.", "Offer at most 50 of them."
)


class LoginRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The rules one of them sets; None where it says nothing.

    Attributes:
        may_register: people may make an account themselves.
        verified_mail: a sign-in ends only with a verified mail address.
        force_mfa: it ends only with a second factor, or a passkey.
        idps: ids of the identity providers that are offered, in this order.
    """

    may_register: bool | None = None
    verified_mail: bool | None = None
    force_mfa: bool | None = None
    idps: tuple[str, ...] | None = None


STANDARD: Final = LoginRules(may_register=True, verified_mail=False, force_mfa=False, idps=())
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


def offered_idps(*rules: LoginRules) -> tuple[str, ...]:
    """What the first of them says that says something."""
    return next((one.idps for one in (*rules, STANDARD) if one.idps is not None), ())
