"""The ways in which a user signs in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final, NamedTuple

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.requests import text
from portico_console.console_app.users.user_page import USER_API, UserPage, ask
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext, segment

KINDS: Final = {
    "password": message("Password"),
    "passkey": message("Passkey"),
    "key": message("Security key"),
    "app": message("Authenticator app"),
    "email": message("Email code"),
    "text": message("Code by text message"),
    "codes": message("Recovery codes"),
    "link": message("Linked identity"),
}

_REMOVES: Final = {
    "passkey": ("RemovePasskey", "passkeys/{id}/do/remove"),
    "key": ("RemoveU2F", "security-keys/{id}/do/remove"),
    "app": ("RemoveTOTP", "factors/do/no-totp"),
    "email": ("RemoveOTPEmail", "factors/do/no-email"),
    "text": ("RemoveOTPSMS", "factors/do/no-text"),
    "codes": ("RemoveRecoveryCodes", "factors/do/no-codes"),
    "link": ("RemoveIDPLink", "links/{id}/do/remove"),
}
_RENAMES: Final = {
    "passkey": ("RenamePasskey", "passkeys/{id}/do/rename"),
    "key": ("RenameU2F", "security-keys/{id}/do/rename"),
}


class Way(NamedTuple):
    """One way to sign in; `left` is the number of unused recovery codes.

    `rename` and `remove` are pages below the user's, empty without the permission.
    """

    kind: str
    id: str = ""
    name: str = ""
    added: str = ""
    used: str = ""
    left: int = 0
    rename: str = ""
    remove: str = ""

    @property
    def title(self) -> str:
        return KINDS[self.kind]

    @property
    def word(self) -> str:
        return f"{self.kind}:{self.id}" if self.id else self.kind


async def ways_of(ctx: RequestContext, shown: UserPage) -> list[Way]:
    """Reads the details of the credentials that the user has."""
    frame, methods = shown.frame, shown.methods or frozenset()

    async def read(method: str, *words: str) -> Fields:
        found = await ask(ctx, frame, f"{USER_API}/{method}") if methods & {*words} else None
        return found or Fields()

    passkeys, factors, codes, links = await asyncio.gather(
        read("ListPasskeys", "PASSKEY"),
        read("ListAuthenticationFactors", "U2F", "TOTP", "OTP_EMAIL", "OTP_SMS"),
        read("CountRecoveryCodes", "RECOVERY_CODE"),
        read("ListIDPLinks", "IDP"),
    )
    found = [Way("password", added=text(shown.user, "human.passwordChanged"))] if "PASSWORD" in methods else []
    found += [_device("passkey", one) for one in passkeys.get("result", ())]
    found += _factors(factors)
    found += [Way("codes", left=int(codes.get("count", 0)))] if codes else []
    found += [_link(one) for one in links.get("result", ())]
    return [_with_pages(frame, one) for one in found]


def missing(ways: list[Way]) -> list[str]:
    """Returns the names of the kinds that the user does not have; codes by text message are rarely possible."""
    # Text messages need a sender, which most organizations do not have.
    there = {"text", *(way.kind for way in ways)}
    return [title for kind, title in KINDS.items() if kind not in there]


def _factors(found: Fields) -> Iterator[Way]:
    for one in found.get("result", ()):
        if "u2f" in one:
            yield _device("key", one["u2f"])
        elif "otp" in one:
            yield _device("app", one["otp"])
        elif "otpEmail" in one:
            yield Way("email")
        elif "otpSms" in one:
            yield Way("text")


def _device(kind: str, found: Fields) -> Way:
    return Way(kind, text(found, "id"), text(found, "name"), text(found, "creationDate"), text(found, "lastUsed"))


def _link(found: Fields) -> Way:
    name = " · ".join(filter(None, (text(found, "idpName|idpId"), text(found, "userName"))))
    return Way("link", text(found, "idpId+userId"), name)


def _with_pages(frame: Frame, way: Way) -> Way:
    id = segment(way.id)

    def page(known: dict[str, tuple[str, str]]) -> str:
        method, path = known.get(way.kind, ("", ""))
        return path.format(id=id) if method and frame.may_call(f"{USER_API}/{method}") else ""

    return way._replace(rename=page(_RENAMES), remove=page(_REMOVES))
