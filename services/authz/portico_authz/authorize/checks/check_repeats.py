"""Checks that known parameters occur once, in query and body together (RFC 6749 section 3.1, AZ-04)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.parameters import REPEATED

from portico_authz.checked_request import SentRequest

IDENTITY: Final = frozenset({"client_id", "redirect_uri"})
IDENTITY_REPEATED = ErrorCode(
    "AUTHZ-001",
    Kind.INVALID_REQUEST,
    "The parameter client_id or redirect_uri is repeated.",
    "Send client_id and redirect_uri once.",
)


def check_identity_repeats(ctx: SentRequest) -> None:
    """Rejects repeats of client and redirect URI, which must be unambiguous before a redirect."""
    if repeated := ctx.parameters.repeated & IDENTITY:
        raise IDENTITY_REPEATED.error(compared=_compare("identity_repeats", repeated))


def check_repeats(ctx: SentRequest) -> None:
    if ctx.parameters.repeated:
        raise REPEATED.error(
            names=sorted(ctx.parameters.repeated), compared=_compare("repeats", ctx.parameters.repeated)
        )


def compare_identity_repeats(_ctx: SentRequest) -> Compared:
    """Diagnostics of repeated client_id and redirect_uri."""
    return _compare("identity_repeats")


def compare_repeats(_ctx: SentRequest) -> Compared:
    """Diagnostics of repeated parameters."""
    return _compare("repeats")


def _compare(check: str, repeated: Collection[str] = ()) -> Compared:
    return Compared(check, " ".join(sorted(repeated)), ("each once",), Hint.REPEATED)
