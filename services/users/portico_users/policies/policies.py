from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.http import LOGOS

from portico_users.policies import client_metadata, label_rules, texts
from portico_users.policies.client_metadata import ClientMetadata
from portico_users.policies.label_rules import Label
from portico_users.policies.password_policy import PasswordRules
from portico_users.policies.texts import TEXT_FIELDS, Texts
from portico_users.values.fields import Field, Fields
from portico_users.values.names import INVALID_LINK, INVALID_MAIL, is_email, is_link
from portico_users.values.problems import Problem, Problems


class Theme(StrEnum):
    LIGHT = "light"
    DARK = "dark"


class Logos(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The served names of an organization's logos; empty for none. Images are stored separately."""

    light: str = ""
    dark: str = ""


def path_of(name: str) -> str:
    return f"{LOGOS}/{name}" if name else ""


class LockoutRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """When wrong passwords lock a user; 0 attempts for never."""

    max_password_attempts: int = 0


class PasswordAge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Password expiry in days; 0 for no limit. Portico does not warn: ``warn_days`` is for custom pages."""

    max_days: int = 0
    warn_days: int = 0


class PrivacyLinks(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    tos_link: str = ""
    privacy_link: str = ""
    help_link: str = ""
    support_email: str = ""


class Policies(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """The policies of an organization or the instance; None inherits a policy."""

    password: PasswordRules | None = None
    password_age: PasswordAge | None = None
    lockout: LockoutRules | None = None
    privacy: PrivacyLinks | None = None
    label: Label | None = None
    logos: Logos | None = None
    text: Texts | None = None
    client_metadata: ClientMetadata | None = None


STANDARD: Final = Policies(
    password=PasswordRules(),
    password_age=PasswordAge(),
    lockout=LockoutRules(),
    privacy=PrivacyLinks(),
    label=Label(),
    logos=Logos(),
    text=Texts(),
    client_metadata=ClientMetadata(),
)


def effective(*policies: Policies) -> Policies:
    """Returns, for each kind, the first policy that is set."""
    values = {
        name: next((value for one in (*policies, STANDARD) if (value := getattr(one, name)) is not None), None)
        for name in Policies.__struct_fields__
    }
    return Policies(**values)


def problems_of(policies: Policies) -> Problems:
    if policies.label:
        yield from label_rules.problems_of(policies.label)
    if policies.privacy:
        yield from _privacy(policies.privacy)
    if policies.text:
        yield from texts.problems_of(policies.text)
    if policies.client_metadata:
        yield from client_metadata.problems_of(policies.client_metadata)


def _privacy(links: PrivacyLinks) -> Problems:
    for place, link in (
        ("tosLink", links.tos_link),
        ("privacyLink", links.privacy_link),
        ("helpLink", links.help_link),
    ):
        if link and not is_link(link):
            yield Problem(place, INVALID_LINK)
    if links.support_email and not is_email(links.support_email):
        yield Problem("supportEmail", INVALID_MAIL)


@dataclass(frozen=True, slots=True)
class PolicyKind:
    """One kind of policy; documents call the field ``<name>_policy``."""

    name: str
    fields: Fields[Any, Any]


PASSWORD: Final = PolicyKind(
    "password",
    Fields(
        PasswordRules,
        document.PasswordPolicy,
        [Field(name, f"has_{name}") for name in ("lowercase", "uppercase", "number", "symbol")],
    ),
)
PASSWORD_AGE: Final = PolicyKind(
    "password_age",
    Fields(
        PasswordAge,
        document.PasswordAgePolicy,
        (Field("max_days", "max_age_days"), Field("warn_days", "expire_warn_days")),
    ),
)
LOCKOUT: Final = PolicyKind("lockout", Fields(LockoutRules, document.LockoutPolicy))
PRIVACY: Final = PolicyKind("privacy", Fields(PrivacyLinks, document.PrivacyPolicy))
LABEL: Final = PolicyKind("label", Fields(Label, document.LabelPolicy))
TEXT: Final = PolicyKind("text", TEXT_FIELDS)
CLIENT_METADATA: Final = PolicyKind("client_metadata", Fields(ClientMetadata, document.ClientMetadataPolicy))

# The management API, apply and export read and write every kind from here.
KINDS: Final = (PASSWORD, PASSWORD_AGE, LOCKOUT, PRIVACY, LABEL, TEXT, CLIENT_METADATA)
