"""Checks claims: a JSON object of requested claims for userinfo and id_token (OIDC Core section 5.5)."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from portico_oauth.assurance import UNREACHABLE, level_of, published_in
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.json_depth import is_deeper
from portico_oauth.scopes import scopes_of_claims
from portico_runtime.diagnostics.shown import compare_length

from portico_authz.checked_request import CheckedRequest, RequestedAcr, RequestedClaims

CLAIMS_MALFORMED = ErrorCode(
    "AUTHZ-024",
    Kind.INVALID_REQUEST,
    "The parameter claims is not a valid claims request.",
    "Send a JSON object with the members userinfo and id_token, at most 4000 characters.",
)

MAX_LENGTH: Final = 4_000


class RequestedClaim(msgspec.Struct, omit_defaults=True):
    essential: bool = False
    value: Any = msgspec.UNSET
    values: list[Any] | msgspec.UnsetType = msgspec.UNSET


class ClaimsRequest(msgspec.Struct, omit_defaults=True):
    userinfo: dict[str, RequestedClaim | None] | None = None
    id_token: dict[str, RequestedClaim | None] | None = None


_DECODER: Final = msgspec.json.Decoder(ClaimsRequest)


def check_claims(ctx: CheckedRequest) -> None:
    """Sets the supported claims. A requested value of `sub` is the user who must sign in (section 5.5.1)."""
    text = ctx.parameters.get("claims")
    if text is None:
        return
    requested, stored = _read(text)
    id_token = requested.id_token or {}
    ctx.claims = RequestedClaims(stored, scopes_of_claims((*(requested.userinfo or {}), *id_token)))
    if acr := id_token.get("acr"):
        _set_acr(ctx, acr)
    sub = id_token.get("sub")
    if sub is not None and sub.value is not msgspec.UNSET:
        # An unusable value must not count as absent: any user could sign in then (P10).
        if not isinstance(sub.value, str) or not sub.value:
            raise _malformed(text, cause="sub is no string")
        if ctx.subject and ctx.subject != sub.value:
            raise _malformed(text, cause="hint and claims name different users")
        ctx.subject = sub.value


def compare_claims(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the parameter claims."""
    return _compare(ctx.parameters.get("claims"))


def _compare(text: str | None) -> Compared:
    return compare_length("claims", text, "a JSON object of at most 4000 characters")


def _malformed(text: str, **private: Any) -> ServiceError:
    return CLAIMS_MALFORMED.error(compared=_compare(text), **private)


def _set_acr(ctx: CheckedRequest, acr: RequestedClaim) -> None:
    """Values of `acr` are accepted levels; with an essential one a weaker authentication fails (section 5.5.1.1)."""
    values = [value for value in (acr.value, *(acr.values or [])) if value is not msgspec.UNSET]
    if not values:
        return
    words = published_in(values)
    # Essential values of which none is published cannot be reached.
    level = min(map(level_of, words), default=UNREACHABLE if acr.essential else 0)
    ctx.acr = RequestedAcr(words, level, acr.essential)


def _read(text: str) -> tuple[ClaimsRequest, str]:
    try:
        if len(text) <= MAX_LENGTH:
            if is_deeper(json.loads(text, object_pairs_hook=_refuse_repeats)):
                raise _malformed(text)
            requested = _DECODER.decode(text)
            return requested, msgspec.json.encode(requested).decode()
    except (ValueError, RecursionError) as error:
        raise _malformed(text) from error
    raise _malformed(text, length=len(text))


def _refuse_repeats(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Rejects repeated members: two parsers must not read different values (RX-05)."""
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("a member is repeated")
    return found
