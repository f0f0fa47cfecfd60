"""What an authenticator answered, in a form."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_web.key_script import key_script

from portico_login_ui.methods.method import Given, PageContext
from portico_login_ui.scripts import loads

MAX_CREDENTIAL: Final = 8_192
"""Characters of what a key answers; real ones have one or two thousand."""

ANSWER_TOO_LONG = ErrorCode(
    "LOGIN-201", Kind.INVALID_REQUEST, "The response of the security key is too long.", "Use another security key."
)


def key_script_of(page_context: PageContext[Any]) -> dict[str, Any]:
    """The script of a page with an authenticator: browsers offer WebAuthn to scripts only."""
    return loads(key_script(), page_context.issuer)


def read_credential(form: Parameters, bare: Given) -> Given | None:
    """Returns the answer with the credential; None without one; raises LOGIN-201 beyond the limit."""
    credential = form.get("credential", "")
    if len(credential) > MAX_CREDENTIAL:
        raise ANSWER_TOO_LONG.error()
    return replace(bare, credential=credential) if credential else None
