"""id_token_hint is an id_token of ours, expired or not (OIDC Core §3.1.2.1).

One that cannot be verified names nobody: with prompt=none that is login_required, since nothing else can be
asked; otherwise it is ignored, because the person proves who they are anyway.
"""

from __future__ import annotations

from typing import Any, Final

from portico_oauth.errors import Fact, Kind
from portico_oauth.jose import ALGORITHMS, NotAToken, VerificationKey, unverified_header

from portico_authz.context import Context
from portico_authz.domain.prompt import Prompt

HINT_UNUSABLE = Fact(
    "AUTHZ-023",
    Kind.LOGIN_NEEDED,
    "The id_token_hint is not a valid id_token of this issuer.",
    "Send the last id_token of the user, or leave the hint out.",
)

_ID_TOKEN_TYPE: Final = "JWT"


async def check_id_token_hint(ctx: Context) -> None:
    """Sets the subject the hint names."""
    hint = ctx.parameters.get("id_token_hint")
    if hint is None:
        return
    subject = await _subject_of(ctx, hint)
    if not subject and Prompt.NONE in ctx.prompts:
        raise HINT_UNUSABLE.refusal()
    ctx.subject = subject


async def _subject_of(ctx: Context, hint: str) -> str:
    try:
        header = unverified_header(hint)
        # Access and logout tokens have types of their own: each artefact only where its kind belongs (P7).
        if header.get("typ") != _ID_TOKEN_TYPE:
            return ""
        jwk = _find_key(await ctx.directory.public_keys(), header.get("kid"))
        claims = VerificationKey.from_jwk(jwk).verify(hint) if jwk else {}
    except NotAToken:
        return ""
    subject = claims.get("sub")
    return subject if claims.get("iss") == ctx.issuer and isinstance(subject, str) else ""


def _find_key(keys: tuple[dict[str, Any], ...], kid: object) -> dict[str, Any] | None:
    return next((jwk for jwk in keys if jwk.get("kid") == kid and jwk.get("alg") in ALGORITHMS), None)
