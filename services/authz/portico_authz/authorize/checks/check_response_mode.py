"""Checks response_mode: never query with tokens (OAuth Multiple Response Types section 2.1)."""

from __future__ import annotations

from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_words

from portico_authz import provider_metadata
from portico_authz.checked_request import SentRequest

MODE_UNUSABLE = ErrorCode(
    "AUTHZ-009",
    Kind.INVALID_REQUEST,
    "This response_mode cannot be combined with this response_type.",
    "Omit response_mode, or use one of response_modes_supported.",
)


def check_response_mode(ctx: SentRequest) -> None:
    mode = ctx.parameters.get("response_mode")
    if mode is not None and mode != ctx.verified_address.mode:
        raise MODE_UNUSABLE.error(response_mode=mode[:40], compared=compare_response_mode(ctx))


def compare_response_mode(ctx: SentRequest) -> Compared:
    """Diagnostics of the response_mode."""
    known = tuple(provider_metadata.RESPONSE_MODES)
    return Compared("response_mode", shown_words(ctx.parameters.get("response_mode", ""), known), known[:MOST_WANTED])
