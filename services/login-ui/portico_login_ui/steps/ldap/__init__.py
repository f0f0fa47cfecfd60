from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login_steps.ldap import LdapAnswer, LdapStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method, read_typed
from portico_login_ui.methods.new_password import page_script_of


def _read(form: Parameters, bare: LdapAnswer) -> LdapAnswer | None:
    """Login name and password as they are; empty if one is missing, since an empty password proves nothing (RFC 4513 §5.1.2)."""
    login_name, password = read_typed(form, "login_name"), read_typed(form, "password")
    return replace(bare, login_name=login_name, password=password) if login_name.strip() and password else None


METHOD = Method("directory.html", LdapStep, LdapAnswer, _read, page_script_of)
