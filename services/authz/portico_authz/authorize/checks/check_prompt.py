"""prompt is a set of known words, none alone (OIDC Core §3.1.2.1).

`consent` asks for nothing: the platform's own clients are trusted by registration. `select_account` asks for
the login name, where another account can be named. `create` is refused as its specification says for what
is not offered (Initiating User Registration via OIDC 1.0 §4.1).
"""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import Fact, Kind

from portico_authz import offered
from portico_authz.context import Context
from portico_authz.domain.prompt import Prompt

NONE_WITH_OTHERS = Fact(
    "AUTHZ-019", Kind.MALFORMED, "The prompt none cannot be combined with others.", "Send prompt=none alone."
)
PROMPT_UNKNOWN = Fact(
    "AUTHZ-020",
    Kind.MALFORMED,
    "The parameter prompt has an unknown value.",
    "Use values of prompt_values_supported, separated by single spaces.",
)
REGISTRATION_NOT_OFFERED = Fact(
    "AUTHZ-021", Kind.MALFORMED, "Registration by prompt=create is not offered here.", "Leave prompt=create out."
)

ACCEPTED: Final = frozenset({*offered.PROMPTS, Prompt.SELECT_ACCOUNT})


def check_prompt(ctx: Context) -> None:
    """Reads the words."""
    words = set(ctx.parameters["prompt"].split(" ")) if "prompt" in ctx.parameters else set()
    if Prompt.NONE in words and len(words) > 1:
        raise NONE_WITH_OTHERS.refusal()
    if Prompt.CREATE in words and Prompt.CREATE not in ACCEPTED:
        raise REGISTRATION_NOT_OFFERED.refusal()
    if not words <= ACCEPTED:
        raise PROMPT_UNKNOWN.refusal()
    ctx.prompts = frozenset(Prompt(word) for word in words)
