from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from portico_contracts.http import LOGIN, PASSKEY_OPTIONS
from portico_contracts.login_steps.login_name import LoginNameAnswer, LoginNameStep
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_login_ui.methods.credential import key_script_of, read_credential
from portico_login_ui.methods.method import Method, PageContext, read_typed


def _context(page_context: PageContext[LoginNameStep]) -> dict[str, Any]:
    """The address where the script of the page requests a passkey, if passkeys are accepted."""
    if not page_context.step.may_use_passkey:
        return {"offer": ""}
    offer = page_context.action.replace(LOGIN, PASSKEY_OPTIONS, 1)
    return {"offer": offer, "ask_uri": page_context.issuer + PASSKEY_OPTIONS, **key_script_of(page_context)}


def _read(form: Parameters, bare: LoginNameAnswer) -> LoginNameAnswer | None:
    """The name without the blanks around it, which keyboards add; or a passkey, or the request for one or an account."""
    if "register" in form:
        return replace(bare, register=True)
    if "passkey" in form:
        return replace(bare, passkey=True)
    if given := read_credential(form, bare):
        return given
    name = trimmed(read_typed(form, "login_name"))
    return replace(bare, login_name=name) if name else None


METHOD = Method("login_name.html", LoginNameStep, LoginNameAnswer, _read, _context)
