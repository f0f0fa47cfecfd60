from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from portico_web.key_script import key_script
from starlette.responses import Response

from portico_console.account_app.account_page import Refused, account_page, acting, change, showing
from portico_console.account_app.second_factor import after_factor
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

NO_KEY = ErrorCode(
    "CONS-302",
    Kind.INVALID_REQUEST,
    "The browser sent no response from a passkey or security key.",
    "Use the button on the page, with JavaScript turned on.",
)
_ADDED: Final = message("%(name)s was added.")
_MAX: Final = 8_192
"""Maximum characters of a WebAuthn response; real ones have one or two thousand."""


class _KeyKind(NamedTuple):
    word: str
    begin: str
    finish: str
    id: str
    name: str
    unnamed: str


_KINDS: Final = (
    _KeyKind("passkeys", "RegisterPasskey", "VerifyPasskeyRegistration", "passkeyId", "passkeyName", ""),
    _KeyKind("keys", "RegisterU2F", "VerifyU2FRegistration", "u2fId", "tokenName", "Security key"),
)


def _rows_of(kind: _KeyKind) -> PageRow:
    async def show(ctx: RequestContext, refused: Refused | None) -> Response:
        begun = await change(ctx, kind.begin)
        script = key_script()
        return account_page(
            ctx,
            "new_key.html",
            "security",
            refused,
            kind=kind.word,
            key_id=begun[kind.id],
            options=msgspec.json.encode(begun["publicKeyCredentialCreationOptions"]).decode(),
            name=refused.typed.get("name", "") if refused else "",
            script=script.address,
            script_uri=f"{ctx.party.origin}{script.path}",
        )

    async def finish(ctx: RequestContext, typed: Parameters) -> Response:
        id = typed.get("id", "")
        name = trimmed(typed.get("name", "")) or kind.unnamed
        named = {kind.name: name} if name else {}
        await change(ctx, kind.finish, **{kind.id: id}, **named, publicKeyCredential=_read_credential(typed))
        return await _added(ctx, id)

    return PageRow(f"/security/{kind.word}/new", showing(show), acting("key", show, finish))


async def _added(ctx: RequestContext, id: str) -> Response:
    """The name is the stored one; a passkey of a browser that keeps none has become a security key."""
    passkeys = (await change(ctx, "ListPasskeys")).get("result", ())
    found = next((one for one in passkeys if one["id"] == id), None)
    if found:
        return await after_factor(ctx, _ADDED, name=found["name"])
    factors = (await change(ctx, "ListAuthenticationFactors")).get("result", ())
    key = next((one["u2f"] for one in factors if one.get("u2f", {}).get("id") == id), None)
    return await after_factor(ctx, _ADDED, name=key["name"]) if key else ctx.see(f"{ctx.party.path}/security")


def _read_credential(typed: Parameters) -> dict[str, Any]:
    """Raises CONS-302."""
    text = typed.get("credential", "")
    try:
        credential = msgspec.json.decode(text[: _MAX + 1])
    except msgspec.DecodeError:
        raise NO_KEY.error() from None
    if len(text) > _MAX or not isinstance(credential, dict):
        raise NO_KEY.error()
    return credential


PAGES: Final = tuple(_rows_of(kind) for kind in _KINDS)
