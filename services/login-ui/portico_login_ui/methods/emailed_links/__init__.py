"""Links in emails: those that verify an address, set a password (and request that) and register a passkey."""

from __future__ import annotations

from portico_login_ui.methods.emailed_links.link import EmailedLink, link_address, load_link
from portico_login_ui.methods.emailed_links.passkey_link import (
    PasskeyLink,
    load_passkey_link,
    made_credential,
    passkey_link_address,
)
from portico_login_ui.methods.emailed_links.typed import (
    LinkProblem,
    password_typed,
    problem_of,
    read_code,
    read_login_name,
)

__all__ = [
    "EmailedLink",
    "LinkProblem",
    "PasskeyLink",
    "link_address",
    "load_link",
    "load_passkey_link",
    "made_credential",
    "passkey_link_address",
    "password_typed",
    "problem_of",
    "read_code",
    "read_login_name",
]
