"""The form in which a step is sent to the login pages: it has the members of all steps, so that pages may read any.

Answers are read in the form of their step; other members are ignored. Pages written for 0.3 rely on both, and
docs/guides/upgrade.md promises this until 0.5.
"""

from __future__ import annotations

from typing import Any, Final, get_type_hints

import msgspec

from portico_contracts.login import Step
from portico_contracts.login_external import ExternalReturned
from portico_contracts.login_steps import STEPS
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message, encode

_FIRST: Final = [
    "csrf",
    "client_name",
    "return_uri",
    "login_name",
    "problem",
    "retry_after",
    "confirms",
    "continue_to",
    "set_cookie",
    "ui_locales",
    "accounts",
    "may_register",
    "may_reset",
    "mail",
    "delayed",
    "detail",
    "may_use_passkey",
    "may_use_email_code",
    "options",
    "others",
    "password_rules",
    "providers",
    "leave_to",
    "external_name",
    "profile",
    "missing",
    "may_link",
    "may_create",
    "uri",
    "secret",
    "recovery_codes",
    "scopes",
    "org_name",
    "device",
    "look",
    "trust_days",
    "emailed",
]
"""The order of the members that were there first; others follow."""


def _members() -> list[tuple[str, Any, Any]]:
    found = {}
    for kind in STEPS.values():
        hints = get_type_hints(kind, include_extras=True)
        for field in msgspec.structs.fields(kind):
            found[field.name] = (field.name, hints[field.name], field.default)
    return sorted(found.values(), key=lambda member: (_FIRST + list(found)).index(member[0]))


def _sent(name: str, members: list[tuple[str, Any, Any] | tuple[str, Any]]) -> type[msgspec.Struct]:
    documented = {"__doc__": f"`{name.removeprefix('Sent')}` as it is sent."}
    return msgspec.defstruct(
        name, members, bases=(Message,), module=__name__, namespace=documented, frozen=True, kw_only=True
    )


SentStep: Final = _sent("SentStep", [("name", StepName), *_members()])

SentReturned: Final = _sent("SentReturned", [("request_id", str), ("step", SentStep)])


def encode_step(step: Step) -> bytes:
    return encode(msgspec.convert(step, SentStep, from_attributes=True))


def encode_returned(returned: ExternalReturned) -> bytes:
    return encode(msgspec.convert(returned, SentReturned, from_attributes=True))
