"""claims is a JSON object of wishes for userinfo and id_token (OIDC Core §5.5)."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from portico_oauth.assurance import ACR_VALUES, level_of
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.context import Context

CLAIMS_MALFORMED = ErrorCode(
    "AUTHZ-024",
    Kind.INVALID_REQUEST,
    "The parameter claims is not a valid claims request.",
    "Send a JSON object with the members userinfo and id_token, at most 4000 characters.",
)

MAX_LENGTH: Final = 4_000


class ClaimAsked(msgspec.Struct, omit_defaults=True):
    """How one claim is asked for."""

    essential: bool = False
    value: Any = msgspec.UNSET
    values: list[Any] | msgspec.UnsetType = msgspec.UNSET


class ClaimsAsked(msgspec.Struct, omit_defaults=True):
    """The members that mean something; others are ignored."""

    userinfo: dict[str, ClaimAsked | None] | None = None
    id_token: dict[str, ClaimAsked | None] | None = None


_DECODER: Final = msgspec.json.Decoder(ClaimsAsked)


def check_claims(ctx: Context) -> None:
    """Keeps what was understood. A value asked for `sub` says who must sign in (§5.5.1)."""
    text = ctx.parameters.get("claims")
    if text is None:
        return
    asked, ctx.claims = _read(text)
    id_token = asked.id_token or {}
    ctx.auth_time_asked = ctx.auth_time_asked or "auth_time" in id_token
    if acr := id_token.get("acr"):
        _keep_acr(ctx, acr)
    sub = id_token.get("sub")
    if sub is not None and sub.value is not msgspec.UNSET:
        # A wish that cannot be understood must not be taken for none: anybody could sign in then (P10).
        if not isinstance(sub.value, str) or not sub.value:
            raise CLAIMS_MALFORMED.error(cause="sub is no text")
        if ctx.subject and ctx.subject != sub.value:
            raise CLAIMS_MALFORMED.error(cause="hint and claims name different users")
        ctx.subject = sub.value


def _keep_acr(ctx: Context, acr: ClaimAsked) -> None:
    """Values of `acr` are the levels one of which will do; asked for as essential, a sign-in without is none (§5.5.1.1)."""
    values = [value for value in (acr.value, *(acr.values or [])) if value is not msgspec.UNSET]
    if not values:
        return
    ctx.acr_named = tuple(level for level in ACR_VALUES if level in values)
    ctx.acr_essential = acr.essential
    # Essential values none of which is published cannot be reached by anybody.
    ctx.acr_level = min(map(level_of, ctx.acr_named), default=len(ACR_VALUES) + 1 if acr.essential else 0)


def _read(text: str) -> tuple[ClaimsAsked, str]:
    """What is asked, and the same as JSON without what means nothing."""
    try:
        if len(text) <= MAX_LENGTH:
            json.loads(text, object_pairs_hook=_refuse_repeats)
            asked = _DECODER.decode(text)
            return asked, msgspec.json.encode(asked).decode()
    except (ValueError, RecursionError) as error:
        raise CLAIMS_MALFORMED.error() from error
    raise CLAIMS_MALFORMED.error(length=len(text))


def _refuse_repeats(members: list[tuple[str, Any]]) -> None:
    """Two readers of one object must not see two different things (RX-05)."""
    if len({name for name, _ in members}) != len(members):
        raise ValueError("a member is repeated")
