"""What users answers about organizations: what they demand at sign-in, and whose a domain is."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Rpc
from portico_contracts.users.branding import Branding
from portico_contracts.users.external import OfferedProvider
from portico_contracts.users.people import Factor

GRANTABLE: Final = (Factor.U2F, Factor.PASSKEY, Factor.TOTP, Factor.OTP_EMAIL)
"""What an organization may let count at sign-in, or not. Recovery codes replace another one."""


class EnrolmentDemand(StrEnum):
    """What a person without a second factor needs beside the first one to register the second that is demanded.

    `NONE`: nothing will do; an administrator has to act. `EMAIL`: a code sent to the verified address. `PASSWORD`: nothing.
    """

    NONE = "none"
    EMAIL = "email"
    PASSWORD = "password"


class GetLoginPolicy(Message, frozen=True):
    """Requests the login policy of an organization, or of the instance with an empty id.

    An organization that is not there, or not active, is refused as `absent`.
    """

    org_id: str = ""


class PasswordRules(Message, frozen=True):
    """What new passwords must have in an organization, besides what holds for all: at least so many characters, and
    one of each of the kinds that are demanded.
    """

    min_length: int = 8
    lowercase: bool = False
    uppercase: bool = False
    number: bool = False
    symbol: bool = False


class LoginPolicy(Message, frozen=True):
    """What an organization demands at sign-in.

    Attributes:
        may_register: people may make an account themselves; of the instance, that its default organization lets them.
        verified_mail: a sign-in ends only with a verified email address.
        force_mfa: a sign-in ends only with a second factor, or a passkey.
        may_reset: a user who forgot the password can be emailed a link that sets one.
        password_rules: for a new password; of the instance, those of its default organization.
        factors: what counts besides a password. What is not named here proves nothing.
        password_max_age_days: a password that was set so many days ago has to be changed at sign-in; 0 for never.
        providers: the other identity providers that are offered, in this order.
        enrolment: what a user without the demanded second factor needs to register one at sign-in.
        branding: how pages look; None only where there is no such organization.
    """

    may_register: bool = True
    verified_mail: bool = False
    force_mfa: bool = False
    may_reset: bool = False
    password_rules: PasswordRules = PasswordRules()
    factors: tuple[Factor, ...] = GRANTABLE
    password_max_age_days: int = 0
    providers: tuple[OfferedProvider, ...] = ()
    enrolment: EnrolmentDemand = EnrolmentDemand.NONE
    branding: Branding | None = None


class FindOrganization(Message, frozen=True):
    """Asks which organization a login name's domain belongs to."""

    domain: str


class OrganizationFound(Message, frozen=True):
    """Its id; empty when no active organization has the domain."""

    org_id: str = ""


GET_LOGIN_POLICY = Rpc("users.v1.policy.login", GetLoginPolicy, LoginPolicy, ("authz",))
FIND_ORGANIZATION = Rpc("users.v1.org.find", FindOrganization, OrganizationFound, ("authz",))
