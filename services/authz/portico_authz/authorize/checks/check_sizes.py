"""Limits the size of a request, which is stored before the user is authenticated (decision 0127)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_runtime.diagnostics.shown import shown_length

from portico_authz.authorize.checks.check_hints import MAX_HINT, MAX_LOCALES
from portico_authz.checked_request import CheckedRequest
from portico_authz.domain.request_parameters import RequestParameters

STATE_TOO_LONG = ErrorCode(
    "AUTHZ-035",
    Kind.INVALID_REQUEST,
    "The parameter state is longer than 4096 bytes.",
    "Send a random state, and keep what belongs to it in the session of your application.",
)
NONCE_TOO_LONG = ErrorCode(
    "AUTHZ-036", Kind.INVALID_REQUEST, "The parameter nonce is longer than 1024 bytes.", "Send a shorter random nonce."
)
REQUEST_TOO_LONG = ErrorCode(
    "AUTHZ-037",
    Kind.INVALID_REQUEST,
    "The authorization request is longer than 12 KiB.",
    "Shorten state, scope or claims.",
)

MAX_STATE: Final = 4_096
MAX_NONCE: Final = 1_024
MAX_STORED: Final = 12 * 1_024
_BESIDE: Final = 1_024
"""Maximum bytes stored besides the parameters and the initial login name."""

_WITHOUT_EFFECT: Final = {"login_hint": MAX_HINT, "ui_locales": MAX_LOCALES, "display": 0, "claims_locales": 0}
"""Parameters that are ignored, and not stored, beyond these lengths."""


def check_sizes(ctx: CheckedRequest) -> None:
    if len(ctx.parameters.get("state", "").encode()) > MAX_STATE:
        raise STATE_TOO_LONG.error(compared=compare_sizes(ctx))
    if len(ctx.nonce.encode()) > MAX_NONCE:
        raise NONCE_TOO_LONG.error(compared=compare_sizes(ctx))
    stored = stored_parameters(ctx.parameters, ctx.parameters.readable)
    if len(msgspec.json.encode((stored, ctx.login_hint))) > MAX_STORED - _BESIDE:
        raise REQUEST_TOO_LONG.error(compared=compare_sizes(ctx))


def compare_sizes(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the lengths."""
    lengths = [f"{name} {shown_length(ctx.parameters.get(name, ''))}" for name in ("state", "nonce", "scope", "claims")]
    return Compared("sizes", " ".join(lengths), ("state at most 4096 bytes, nonce 1024, all together 12 KiB",))


def stored_parameters(parameters: RequestParameters, names: Collection[str]) -> dict[str, str]:
    stored = parameters.select(names)
    for name, most in _WITHOUT_EFFECT.items():
        if name in stored and len(stored[name]) > most:
            del stored[name]
    return stored
