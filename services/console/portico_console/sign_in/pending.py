"""Pending sign-ins, in sealed cookies of the browser that started them, so that starting one uses no store."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

import msgspec
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes, b64url, fingerprint
from portico_web.cookies import read_cookie, set_cookie

SECONDS: Final = 1_800
"""Time limit of a sign-in, after which it must be restarted: that of the provider, by default."""

MOST: Final = 3
"""Pending sign-ins per browser; one more discards them all."""

_DIGITS: Final = 8

_STATE: Final = re.compile(r"[A-Za-z0-9_-]{43}\Z")


class PendingSignIn(msgspec.Struct, frozen=True):
    """Compared by the callback (RFC 6749 section 10.12, RFC 7636 section 4.1); `until` is in unix seconds.

    `kept_form` is the form that the sign-in is for.
    """

    state: str
    nonce: str
    code_verifier: str
    return_to: str
    until: float
    silent: bool = False
    kept_form: str = ""

    def __repr__(self) -> str:
        return "PendingSignIn(...)"


def is_state(text: str) -> bool:
    return bool(_STATE.match(text))


class PendingCookies:
    """One cookie per pending sign-in, so that two tabs do not interfere."""

    def __init__(self, party: str, keys: MasterKeys, random: RandomBytes, *, secure: bool) -> None:
        self._party = party
        self._keys = keys
        self._random = random
        self._secure = secure

    def begin(self, return_to: str, now: float, *, silent: bool, kept_form: str = "") -> PendingSignIn:
        """Creates a pending sign-in with 256 random bits in each of its secrets."""
        state, nonce, verifier = (b64url(self._random(32)) for _ in range(3))
        return PendingSignIn(state, nonce, verifier, return_to, now + SECONDS, silent, kept_form)

    def set(self, pending: PendingSignIn) -> str:
        name = self._name(pending.state)
        sealed = self._keys.seal(msgspec.json.encode(pending), name.encode(), self._random)
        value = ".".join((sealed.master, b64url(sealed.nonce), b64url(sealed.data)))
        return set_cookie(name, value, secure=self._secure, max_age=SECONDS)

    def clear(self, state: str) -> str:
        return set_cookie(self._name(state), "", secure=self._secure, max_age=0)

    def clear_surplus(self, cookie: str | None) -> list[str]:
        """Returns Set-Cookie values that delete the cookies of a browser with too many: headers have a limit."""
        prefix = self._name("")[:-_DIGITS]
        names = [pair.strip().partition("=")[0] for pair in (cookie or "").split(";")]
        begun = [name for name in names if name.startswith(prefix)]
        return [set_cookie(name, "", secure=self._secure, max_age=0) for name in begun] if len(begun) >= MOST else []

    def find(self, state: str, cookie: str | None, now: float) -> PendingSignIn | None:
        """Returns the pending sign-in of a callback; None without its cookie, with an invalid one, or too late."""
        if not is_state(state):
            return None
        name = self._name(state)
        values = read_cookie(cookie, name)
        if len(values) != 1:
            return None
        try:
            master, nonce, data = values[0].split(".")
            sealed = SealedAtRest(master, _bytes(nonce), _bytes(data))
            pending = msgspec.json.decode(self._keys.unseal(sealed, name.encode()), type=PendingSignIn)
        except (UnsealingFailed, ValueError, binascii.Error, msgspec.DecodeError):
            return None
        return pending if pending.state == state and now < pending.until else None

    def _name(self, state: str) -> str:
        prefix = "__Host-" if self._secure else ""
        return f"{prefix}portico-{self._party}-sign-in-{fingerprint(state)[:_DIGITS]}"


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
