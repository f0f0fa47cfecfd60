"""The claims of an identity assertion, read strictly: what is not understood and would narrow it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AssertionTrust, Dpop
from portico_oauth import scopes
from portico_oauth.errors import Compared
from portico_oauth.resources import is_resource
from portico_runtime.diagnostics.shown import shown_uri, shown_uris

from portico_token.assertions.claims import InvalidAssertion, read_claims, refuse_untimely
from portico_token.domain.clients import AuthenticatedClient
from portico_token.workloads.shown_claims import shown_text, shown_value

LONGEST: Final = 600
"""Maximum lifetime in seconds."""

MAX_TEXT: Final = 200
"""Characters of `sub` and `jti`: those of an identity at a provider."""

CHECK: Final = "grant"

_REQUIRED: Final = ("iss", "sub", "aud", "client_id", "jti", "exp", "iat", "resource")
_NARROWING: Final = ("act", "authorization_details")
"""A token without the actor, or without the details, would be worth more than what the issuer has stated."""

_TENANT: Final = "tenant"


class Refused(Exception):
    """The assertion is not accepted; `compared` is for diagnostics only."""

    def __init__(self, hint: str, given: str = "", wanted: tuple[str, ...] = ()) -> None:
        super().__init__(hint)
        self.compared = Compared(CHECK, given, wanted, hint)


class IdentityClaims(NamedTuple):
    """`scope` is None where the assertion states none; `jkt` is empty where it is bound to no key."""

    iss: str
    sub: str
    jti: str
    exp: int
    iat: int
    resource: str
    scope: tuple[str, ...] | None
    jkt: str
    sent: Mapping[str, Any]


def read_identity_claims(sent: Mapping[str, Any], issuer: str, client_id: str, now: float) -> IdentityClaims:
    """Raises Refused unless the assertion is for this server and client, valid now, and understood as a whole."""
    try:
        claims = read_claims(sent, (issuer,), now)
        refuse_untimely(claims, sent, now)
    except InvalidAssertion as invalid:
        compared = invalid.compared
        raise Refused(compared.hint, compared.given, compared.wanted) from invalid
    if not claims.is_dated:
        raise _wrong("iat")
    if claims.exp - claims.iat > LONGEST:
        raise Refused(Hint.TOO_LONG, f"{min(claims.exp - claims.iat, 10**9)} s", (f"{LONGEST} s at most",))
    if claims.aud != (issuer,):
        raise Refused(Hint.WRONG_USE, shown_uri(claims.aud[0]), shown_uris((issuer,)))
    if not claims.jti or len(claims.jti) > MAX_TEXT:
        raise _wrong("jti")
    if len(claims.sub) > MAX_TEXT:
        raise _wrong("sub")
    if sent.get("client_id") != client_id:
        raise Refused(Hint.OTHER_CLIENT, f"client_id={shown_value(sent.get('client_id', ''))}", (client_id,))
    if narrowing := [name for name in _NARROWING if name in sent]:
        raise Refused(Hint.NOT_ALLOWED, " ".join(narrowing))
    return IdentityClaims(
        claims.iss, claims.sub, claims.jti, claims.exp, claims.iat,
        _resource(sent), _scope(sent), _key(sent), sent,
    )  # fmt: skip


def refuse_other_key(claims: IdentityClaims, client: AuthenticatedClient) -> None:
    """Raises Refused unless the client proves the key that the assertion is bound to (RFC 9449)."""
    if not claims.jkt or claims.jkt == client.jkt:
        return
    if client.client.dpop is Dpop.OFF:  # then proofs are not read
        raise Refused(Hint.DPOP_OFF, f"dpop={Dpop.OFF}", (f"dpop={Dpop.ALLOWED}",))
    raise Refused(Hint.OTHER_KEY if client.jkt else Hint.NO_PROOF, wanted=("a DPoP proof of the key in cnf",))


def is_of_tenant(claims: IdentityClaims, trust: AssertionTrust) -> bool:
    """By the pinned claim; without one, an assertion that names a tenant of its issuer could be of any."""
    if trust.tenant_claim:
        return claims.sent.get(trust.tenant_claim) == trust.tenant
    return _TENANT not in claims.sent


def refuse_other_account(claims: IdentityClaims, trust: AssertionTrust, user_id: str) -> None:
    """Raises Refused where the issuer names another organization or user of this installation than the link does."""
    for name, wanted in (("aud_tenant", trust.org_id), ("aud_sub", user_id)):
        if name in claims.sent and claims.sent[name] != wanted:
            raise Refused(Hint.WRONG_SUBJECT, name)


def _resource(sent: Mapping[str, Any]) -> str:
    value = sent.get("resource")
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str) or not is_resource(value):
        raise _wrong("resource")
    return value


def _scope(sent: Mapping[str, Any]) -> tuple[str, ...] | None:
    if "scope" not in sent:
        return None
    value = sent["scope"]
    words = scopes.split(value) if isinstance(value, str) and len(value) <= scopes.MAX_LENGTH else None
    if words is None:
        raise _wrong("scope")
    return tuple(words)


def _key(sent: Mapping[str, Any]) -> str:
    if "cnf" not in sent:
        return ""
    value = sent["cnf"]
    jkt = value.get("jkt") if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(jkt, str) or not jkt:
        raise _wrong("cnf")
    return jkt


def _wrong(name: str) -> Refused:
    return Refused(Hint.MALFORMED, shown_text(name), _REQUIRED)
