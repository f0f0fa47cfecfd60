"""Checks id_token_hint: an id_token of this issuer, expired or not (OIDC Core section 3.1.2.1).

A hint that fails verification is login_required with prompt=none, since no interaction is permitted;
otherwise it is ignored, because the end user authenticates anyway. A hint signed by an unknown key counts as
absent.
"""

from __future__ import annotations

from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_runtime.diagnostics.shown import compare_length

from portico_authz.checked_request import CheckedRequest
from portico_authz.domain.prompt import Prompt
from portico_authz.id_token_hints import find_hint

HINT_UNUSABLE = ErrorCode(
    "AUTHZ-023",
    Kind.LOGIN_REQUIRED,
    "The id_token_hint is not a valid id_token of this issuer.",
    "Send the last id_token of the user, or omit the hint.",
)


async def check_id_token_hint(ctx: CheckedRequest) -> None:
    sent = ctx.parameters.get("id_token_hint")
    if sent is None:
        return
    hint = await find_hint(ctx.sources.users_client, ctx.sources.issuer, sent)
    if hint is None and Prompt.NONE in ctx.prompts:
        raise HINT_UNUSABLE.error(compared=compare_id_token_hint(ctx))
    ctx.subject = hint.subject if hint else ""


def compare_id_token_hint(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the id_token_hint."""
    return compare_length("id_token_hint", ctx.parameters.get("id_token_hint"), "an id_token of this issuer")
