"""Checks prompt: a set of known values, `none` only alone (OIDC Core section 3.1.2.1).

`consent` shows no page: clients are trusted by registration. `create` shows the registration where the
organization allows it (Initiating User Registration via OIDC 1.0 section 4.1).
"""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.parameters import split_words
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_words

from portico_authz import provider_metadata
from portico_authz.checked_request import CheckedRequest
from portico_authz.domain.prompt import Prompt

NONE_WITH_OTHERS = ErrorCode(
    "AUTHZ-019", Kind.INVALID_REQUEST, "The prompt none cannot be combined with others.", "Send prompt=none alone."
)
PROMPT_UNKNOWN = ErrorCode(
    "AUTHZ-020",
    Kind.INVALID_REQUEST,
    "The parameter prompt has an unknown value.",
    "Use values of prompt_values_supported, separated by spaces.",
)

ACCEPTED: Final = frozenset(provider_metadata.PROMPTS)


def check_prompt(ctx: CheckedRequest) -> None:
    words = set(split_words(ctx.parameters.get("prompt", "")))
    if Prompt.NONE in words and len(words) > 1:
        raise NONE_WITH_OTHERS.error(compared=compare_prompt(ctx))
    if not words <= ACCEPTED:
        raise PROMPT_UNKNOWN.error(compared=compare_prompt(ctx))
    ctx.prompts = frozenset(Prompt(word) for word in words)


def compare_prompt(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the prompt."""
    given = shown_words(ctx.parameters.get("prompt", ""), ACCEPTED)
    return Compared("prompt", given, tuple(provider_metadata.PROMPTS)[:MOST_WANTED])
