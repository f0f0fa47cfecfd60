"""The first pages of a sign-in: accounts, login name and password. They do not reveal which accounts there are (LG-01)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from portico_contracts.http import FORGOT_PASSWORD_PAGE, LOGIN, PASSKEY_OPTIONS
from portico_contracts.login import Answer
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_login_ui.methods.credential import key_script_of, read_credential
from portico_login_ui.methods.method import PageContext, read_typed
from portico_login_ui.scripts import loads, password_script


def read_account(form: Parameters, bare: Answer) -> Answer | None:
    """The id of the account whose button was pressed; none for another account."""
    account = read_typed(form, "account")
    if account:
        return replace(bare, account=account)
    return bare if "other" in form else None


def login_name_context(page_context: PageContext) -> dict[str, Any]:
    """The address where the script of the page requests a passkey, if passkeys are accepted."""
    if not page_context.step.may_use_passkey:
        return {"offer": ""}
    offer = page_context.action.replace(LOGIN, PASSKEY_OPTIONS, 1)
    return {"offer": offer, "ask_uri": page_context.issuer + PASSKEY_OPTIONS, **key_script_of(page_context)}


def read_login_name(form: Parameters, bare: Answer) -> Answer | None:
    """The name without the blanks around it, which keyboards add; or a passkey, or the request for one or an account."""
    if "register" in form:
        return replace(bare, register=True)
    if "passkey" in form:
        return replace(bare, passkey=True)
    if given := read_credential(form, bare):
        return given
    name = trimmed(read_typed(form, "login_name"))
    return replace(bare, login_name=name) if name else None


def password_script_of(page_context: PageContext) -> dict[str, Any]:
    """The script of a page with a password."""
    return loads(password_script(), page_context.issuer)


def password_context(page_context: PageContext) -> dict[str, Any]:
    """The link for a forgotten password, if one may be set, and the script."""
    forgot = page_context.action.replace(LOGIN, FORGOT_PASSWORD_PAGE, 1) if page_context.step.may_reset else ""
    return {"forgot": forgot, **password_script_of(page_context)}


def read_password(form: Parameters, bare: Answer) -> Answer | None:
    """The password as it is, blanks and all; or the request for a passkey or an emailed code."""
    if "passkey" in form:
        return replace(bare, passkey=True)
    if "email_code" in form:
        return replace(bare, email_code=True)
    password = read_typed(form, "password")
    return replace(bare, password=password) if password else None


def change_context(page_context: PageContext) -> dict[str, Any]:
    """The rules for the new password, and the script."""
    return {"rules": page_context.step.password_rules, **password_script_of(page_context)}


def read_change(form: Parameters, bare: Answer) -> Answer | None:
    """Both passwords as they are: a session left open is not enough to change the password (LG-24)."""
    current, new = read_typed(form, "password"), read_typed(form, "new_password")
    return replace(bare, password=current, new_password=new) if current and new else None


def read_ldap(form: Parameters, bare: Answer) -> Answer | None:
    """Login name and password as they are; nothing where one is missing: an empty password is none (RFC 4513 §5.1.2)."""
    login_name, password = read_typed(form, "login_name"), read_typed(form, "password")
    return replace(bare, login_name=login_name, password=password) if login_name.strip() and password else None
