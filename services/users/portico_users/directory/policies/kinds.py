"""The kinds of policies, one line each: the management API, apply and export read and write every field from here.

A new field is one of the record, of the messages and of the document, and needs no line here where its name is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from portico_contracts import apply as document

from portico_users.directory.policies.label_rules import Label
from portico_users.directory.policies.password_policy import PasswordRules
from portico_users.directory.policies.policies import LockoutRules, PasswordAge, PrivacyLinks
from portico_users.directory.policies.texts import TEXT_FIELDS
from portico_users.kernel.fields import Field, Fields


@dataclass(frozen=True, slots=True)
class PolicyKind:
    """One kind of policy.

    Args:
        name: its field of `Policies`; documents call it ``<name>_policy``.
        fields: of the record that is stored.
    """

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

KINDS: Final = (PASSWORD, PASSWORD_AGE, LOCKOUT, PRIVACY, LABEL, TEXT)
