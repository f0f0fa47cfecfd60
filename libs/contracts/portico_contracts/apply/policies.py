"""Policies, of the instance and of organizations."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Name, Text
from portico_contracts.apply.vocabulary import EnrolmentName, MultiFactorName, SecondFactorName

Color = Annotated[str, Meta(max_length=7)]


class LoginPolicy(DeclaredObject, frozen=True):
    """What is demanded at sign-in. What is left out is as the instance has it, and there as it comes by itself.

    ``mayRegister``: people may make an account themselves (true). ``verifiedMail``: a sign-in ends only with a
    verified email address (false). ``forceMfa``: it ends only with a second factor (false). ``hidePasswordReset``: who
    forgot their password is emailed no link to set another one (false). ``allowExternalIdp``: end users may sign in with
    an identity provider at all (true). ``idps``: the identity providers that are
    offered, in this order, by id or name (none). ``secondFactors``: what counts after a password (all);
    ``multiFactors``: what is several factors in one, and can be the whole sign-in (all). ``enrolment``: who has no second
    factor where one is demanded registers it at sign-in with a code sent to the verified address (``email``), or with the
    password alone (``password``).
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


class PasswordPolicy(DeclaredObject, frozen=True):
    """What passwords must be like."""

    min_length: Annotated[int, Meta(ge=8, le=72)] = 8
    has_uppercase: bool = False
    has_lowercase: bool = False
    has_number: bool = False
    has_symbol: bool = False


class PasswordAgePolicy(DeclaredObject, frozen=True):
    """How old a password may get.

    ``maxAgeDays``: who signs in with one that was set so many days ago has to set another; 0 for never.
    ``expireWarnDays``: for pages of one's own; Portico notifies no user.
    """

    max_age_days: Annotated[int, Meta(ge=0, le=36_500)] = 0
    expire_warn_days: Annotated[int, Meta(ge=0, le=36_500)] = 0


class LockoutPolicy(DeclaredObject, frozen=True):
    """So many wrong passwords lock a user; 0 for never."""

    max_password_attempts: Annotated[int, Meta(ge=0, le=1_000)] = 0


class LabelPolicy(DeclaredObject, frozen=True):
    """How the pages look: colors as #rrggbb, empty for Portico's own; text needs a contrast of 4.5 to 1 to the background.

    ``fontFamily`` is ``humanist``, ``geometric``, ``rounded``, ``serif``, ``slab`` or ``monospace``, or empty for the system's.
    """

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
    """Where people find terms and help; empty for none."""

    tos_link: Text = ""
    privacy_link: Text = ""
    help_link: Text = ""
    support_email: Text = ""


class OwnTexts(DeclaredObject, frozen=True):
    """What an organization writes in one language, as plain text; see `TextPolicy`."""

    language: Text
    sign_in_title: Annotated[str, Meta(max_length=80)] = ""
    sign_in_text: Annotated[str, Meta(max_length=500)] = ""
    email_text: Annotated[str, Meta(max_length=500)] = ""


class TextPolicy(DeclaredObject, frozen=True):
    """Texts on the first page of a sign-in and in emails; the first is for languages that have none."""

    texts: tuple[OwnTexts, ...] = ()
