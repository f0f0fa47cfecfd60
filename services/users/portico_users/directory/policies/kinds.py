"""The kinds of policies, one line each: the management API, apply and export read and write every field from here.

A new field is one of the record, of the messages and of the document, and needs no line here where its name is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from portico_users.directory.policies.label_rules import Label
from portico_users.directory.policies.password_policy import PasswordRules
from portico_users.directory.policies.policies import LockoutRules, PasswordAge, PrivacyLinks
from portico_users.directory.policies.texts import Texts, read_texts, write_texts


@dataclass(frozen=True, slots=True)
class PolicyKind:
    """One kind of policy.

    Args:
        name: its field of `Policies`; documents call it ``<name>_policy``.
        record: what is stored.
        renamed: what messages and documents call fields of the record, where they differ.
        read_as, written_as: by field, for values that are objects themselves: what makes the value of the record of that of
            a message or a document, and members by their names of it.
    """

    name: str
    record: type[msgspec.Struct]
    renamed: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    written_as: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    def values_of(self, policy: msgspec.Struct) -> dict[str, Any]:
        """The values of a stored policy, by the names of messages and documents."""
        values = {public: getattr(policy, name) for name, public in self._fields()}
        return {public: self.written_as.get(public, _as_it_is)(value) for public, value in values.items()}

    def read(self, source: object) -> msgspec.Struct:
        """The record of a message or of a part of a document, which has the values as attributes."""
        values = {name: getattr(source, public) for name, public in self._fields()}
        return self.record(**{name: self.read_as.get(name, _as_it_is)(value) for name, value in values.items()})

    def _fields(self) -> list[tuple[str, str]]:
        return [(name, self.renamed.get(name, name)) for name in self.record.__struct_fields__]


def _as_it_is(value: Any) -> Any:
    return value


PASSWORD: Final = PolicyKind(
    "password",
    PasswordRules,
    {"lowercase": "has_lowercase", "uppercase": "has_uppercase", "number": "has_number", "symbol": "has_symbol"},
)
PASSWORD_AGE: Final = PolicyKind(
    "password_age", PasswordAge, {"max_days": "max_age_days", "warn_days": "expire_warn_days"}
)
LOCKOUT: Final = PolicyKind("lockout", LockoutRules)
PRIVACY: Final = PolicyKind("privacy", PrivacyLinks)
LABEL: Final = PolicyKind("label", Label)
TEXT: Final = PolicyKind("text", Texts, read_as={"texts": read_texts}, written_as={"texts": write_texts})

KINDS: Final = (PASSWORD, PASSWORD_AGE, LOCKOUT, PRIVACY, LABEL, TEXT)
