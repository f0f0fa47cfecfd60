"""Checks max_age: a non-negative integer (OIDC Core section 3.1.2.1, AZ-14); without it the application's own counts."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_runtime.diagnostics.shown import compare_length

from portico_authz.checked_request import CheckedRequest

MAX_AGE_MALFORMED = ErrorCode(
    "AUTHZ-022",
    Kind.INVALID_REQUEST,
    "The parameter max_age must be a non-negative whole number of seconds.",
    "Send ASCII digits, at most ten.",
)

_SECONDS: Final = re.compile(r"[0-9]{1,10}\Z")


def check_max_age(ctx: CheckedRequest) -> None:
    text = ctx.parameters.get("max_age")
    if text is not None and not _SECONDS.match(text):
        raise MAX_AGE_MALFORMED.error(compared=compare_max_age(ctx))
    ctx.max_age = ctx.client.default_max_age_seconds or None if text is None else int(text)


def compare_max_age(ctx: CheckedRequest) -> Compared:
    """Diagnostics of max_age."""
    return compare_length("max_age", ctx.parameters.get("max_age"), "at most ten digits")
