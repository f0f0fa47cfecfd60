from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Name, Text
from portico_contracts.apply.vocabulary import (
    EnrolmentName,
    FirstFactorName,
    MultiFactorName,
    PlaceActionName,
    SecondFactorName,
)

Color = Annotated[str, Meta(max_length=7)]


class PlaceRule(DeclaredObject, frozen=True):
    """``networks`` in CIDR notation, ``countries`` as ISO 3166-1 codes; at least one of either."""

    action: PlaceActionName
    networks: Annotated[tuple[Annotated[str, Meta(max_length=50)], ...], Meta(max_length=50)] = ()
    countries: Annotated[tuple[Annotated[str, Meta(max_length=10)], ...], Meta(max_length=250)] = ()


class SignInFrom(DeclaredObject, frozen=True):
    """The first rule that names the network or the country of a sign-in decides; ``elsewhere`` if none does."""

    rules: Annotated[tuple[PlaceRule, ...], Meta(max_length=20)] = ()
    elsewhere: PlaceActionName = PlaceActionName.ALLOW


class LoginPolicy(DeclaredObject, frozen=True):
    """Requirements at sign-in; omitted fields are inherited from the instance.

    The instance's defaults allow everything (except ``idps``: none) and require nothing. ``idps`` are ids or
    names, in the order offered. ``enrolment``: a missing second factor is enrolled after a code sent to the
    verified address (``email``) or after the password alone (``password``).
    ``allow_device_authorization``: off by default; an organization may forbid what the instance allows.
    ``allow_email_code_sign_in``: an emailed code may replace the password; off by default.
    ``trusted_device_days``: users may trust a browser for so many days, in which no second factor is requested; 0 for
    never, the default.
    ``allow_account_deletion``: users may delete their own accounts; off by default.
    ``first_factors``: how a sign-in may begin, instead of what the other fields allow; at least one, or omitted for no
    such rule. ``redirect_to_provider``: login names of the organization's domains lead to its only identity provider;
    off by default. ``join_by_domain``: who registers with an address of a verified domain gets the account here; off by
    default. ``exempt_instance_owners``: the owners of the instance may use a password all the same, and sign in from
    places that ``sign_in_from`` refuses. ``sign_in_from``: from which networks and countries users may sign in; omitted
    for no such rule.
    """

    may_register: bool | None = None
    verified_mail: bool | None = None
    force_mfa: bool | None = None
    hide_password_reset: bool | None = None
    allow_external_idp: bool | None = None
    idps: tuple[Name, ...] | None = None
    second_factors: Annotated[tuple[SecondFactorName, ...], Meta(max_length=10)] | None = None
    multi_factors: Annotated[tuple[MultiFactorName, ...], Meta(max_length=10)] | None = None
    enrolment: EnrolmentName | None = None
    allow_device_authorization: bool | None = None
    allow_email_code_sign_in: bool | None = None
    trusted_device_days: Annotated[int, Meta(ge=0, le=365)] | None = None
    allow_account_deletion: bool | None = None
    first_factors: Annotated[tuple[FirstFactorName, ...], Meta(max_length=10)] | None = None
    exempt_instance_owners: bool | None = None
    redirect_to_provider: bool | None = None
    join_by_domain: bool | None = None
    sign_in_from: SignInFrom | None = None


class PasswordPolicy(DeclaredObject, frozen=True):
    min_length: Annotated[int, Meta(ge=8, le=72)] = 8
    has_uppercase: bool = False
    has_lowercase: bool = False
    has_number: bool = False
    has_symbol: bool = False
    refuse_breached: bool = False


class PasswordAgePolicy(DeclaredObject, frozen=True):
    """In days, 0 for never; ``expireWarnDays`` is for custom login pages, as Portico does not notify users."""

    max_age_days: Annotated[int, Meta(ge=0, le=36_500)] = 0
    expire_warn_days: Annotated[int, Meta(ge=0, le=36_500)] = 0


class LockoutPolicy(DeclaredObject, frozen=True):
    """Number of wrong passwords that lock a user; 0 for never."""

    max_password_attempts: Annotated[int, Meta(ge=0, le=1_000)] = 0


class LabelPolicy(DeclaredObject, frozen=True):
    """Colours are #rrggbb, empty for the defaults; text needs a contrast of 4.5 to 1 to the background."""

    primary_color: Color = ""
    background_color: Color = ""
    warn_color: Color = ""
    font_color: Color = ""
    primary_color_dark: Color = ""
    background_color_dark: Color = ""
    warn_color_dark: Color = ""
    font_color_dark: Color = ""
    hide_login_name_suffix: bool = False
    disable_watermark: bool = False
    font_family: Text = ""


class PrivacyPolicy(DeclaredObject, frozen=True):
    """Links to terms and help; empty for none."""

    tos_link: Text = ""
    privacy_link: Text = ""
    help_link: Text = ""
    support_email: Text = ""


class OwnTexts(DeclaredObject, frozen=True):
    """Custom plain texts in one language; see `TextPolicy`."""

    language: Text
    sign_in_title: Annotated[str, Meta(max_length=80)] = ""
    sign_in_text: Annotated[str, Meta(max_length=500)] = ""
    email_text: Annotated[str, Meta(max_length=500)] = ""


class TextPolicy(DeclaredObject, frozen=True):
    """Custom texts of the first sign-in page and of emails; the first entry is the fallback language."""

    texts: tuple[OwnTexts, ...] = ()


class ClientMetadataPolicy(DeclaredObject, frozen=True):
    """Hosts, with their subdomains, whose client-ID metadata documents are accepted; empty for none.

    The clients belong to the project with the id ``projectId``.
    """

    hosts: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    project_id: Text = ""
