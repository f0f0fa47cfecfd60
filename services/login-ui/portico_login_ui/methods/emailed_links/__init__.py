"""Links in emails: those that verify an address, set a password (and request that) and register a passkey."""

from __future__ import annotations

from portico_login_ui.methods.emailed_links.link import LOGIN_NAME, EmailedLink, link_address, load_link, login_name_in
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
    "LOGIN_NAME",
    "EmailedLink",
    "LinkProblem",
    "PasskeyLink",
    "link_address",
    "load_link",
    "load_passkey_link",
    "login_name_in",
    "made_credential",
    "passkey_link_address",
    "password_typed",
    "problem_of",
    "read_code",
    "read_login_name",
]
