from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Rpc
from portico_contracts.users.accounts import Factor
from portico_contracts.users.branding import Branding
from portico_contracts.users.external import OfferedProvider
from portico_contracts.users.places import SignInFrom

GRANTABLE: Final = (Factor.U2F, Factor.PASSKEY, Factor.TOTP, Factor.OTP_EMAIL, Factor.OTP_SMS)
"""Factors that a login policy can allow. Recovery codes replace another factor."""

GRANTED: Final = tuple(factor for factor in GRANTABLE if factor is not Factor.OTP_SMS)
"""Factors that are allowed unless a login policy names others: text messages cost money and can be intercepted."""


class FirstFactor(StrEnum):
    """How a sign-in may begin. `PROVIDER` includes directories (LDAP), whose passwords are not those of Portico."""

    PASSWORD = "password"
    PASSKEY = "passkey"
    EMAIL_CODE = "email_code"
    PROVIDER = "provider"


class EnrolmentDemand(StrEnum):
    """What a user needs besides the first factor to enrol a required second one.

    `NONE`: impossible, an administrator must act. `EMAIL`: a code sent to the verified address. `PASSWORD`:
    nothing.
    """

    NONE = "none"
    EMAIL = "email"
    PASSWORD = "password"


class GetLoginPolicy(Message, frozen=True):
    """Requests the login policy of an organization, or of the instance with an empty id.

    An unknown or inactive organization is the error `absent`.
    """

    org_id: str = ""


class PasswordRules(Message, frozen=True):
    """An organization's rules for new passwords, besides the global ones: minimum length and required character
    classes.
    """

    min_length: int = 8
    lowercase: bool = False
    uppercase: bool = False
    number: bool = False
    symbol: bool = False


class LoginPolicy(Message, frozen=True):
    """An organization's requirements at sign-in.

    Attributes:
        may_register: users may create accounts; of the instance, in its default organization.
        verified_mail: a verified email address is required.
        force_mfa: a second factor or a passkey is required.
        may_reset: password reset by email is allowed.
        password_rules: for new passwords; of the instance, those of its default organization.
        factors: accepted factors besides a password.
        password_max_age_days: a password of this age must be changed at sign-in; 0 for never.
        providers: the identity providers offered, in this order.
        enrolment: what a user without the required second factor needs to enrol one at sign-in.
        branding: of the pages; None only where the organization does not exist.
        organization: its name; empty for the instance.
        device_authorization: users may sign in on devices; the instance allows it too.
        email_code_sign_in: an emailed code may replace the password.
        trusted_device_days: a user may trust a browser for so many days, in which no second factor is requested; 0
            for never.
        password_sign_in: a sign-in may begin with a password.
        passkey_sign_in: a sign-in may begin with a passkey, if `factors` has it.
        exempt_owners: instance owners may begin with a password all the same.
        redirect_to_provider: a login name of the organization's domain leads to its only provider without a page.
        redirects_somewhere: in the policy of the instance, whether any policy does so.
        sign_in_from: rules by network and country; None for none.
    """

    may_register: bool = True
    verified_mail: bool = False
    force_mfa: bool = False
    may_reset: bool = False
    password_rules: PasswordRules = PasswordRules()
    factors: tuple[Factor, ...] = GRANTED
    password_max_age_days: int = 0
    providers: tuple[OfferedProvider, ...] = ()
    enrolment: EnrolmentDemand = EnrolmentDemand.NONE
    branding: Branding | None = None
    organization: str = ""
    device_authorization: bool = False
    email_code_sign_in: bool = False
    trusted_device_days: int = 0
    password_sign_in: bool = True
    passkey_sign_in: bool = True
    exempt_owners: bool = False
    redirect_to_provider: bool = False
    redirects_somewhere: bool = False
    sign_in_from: SignInFrom | None = None


class FindOrganization(Message, frozen=True):
    """Requests the organization of a login name's domain."""

    domain: str


class OrganizationFound(Message, frozen=True):
    """The organization's id; empty when no active organization has the domain."""

    org_id: str = ""


GET_LOGIN_POLICY = Rpc("users.v1.policy.login", GetLoginPolicy, LoginPolicy, ("authz",))
FIND_ORGANIZATION = Rpc("users.v1.org.find", FindOrganization, OrganizationFound, ("authz",))
