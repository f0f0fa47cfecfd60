"""Verifies a token of a trusted workload: signed by the issuer's key, for the audience, valid now, conditions fulfilled.

The workload is found by verified values only: what the unverified token names decides which keys verify it. All other
requirements are those of assertions (JW-01 to JW-09, JW-12, JW-14, JW-16); a `jti` is not looked at (decision 0152).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod, Client, ConditionMatch, TrustedWorkload, WorkloadCondition
from portico_oauth.errors import Compared
from portico_oauth.jose import MalformedToken, VerificationKey, unverified_claims, unverified_header
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_uri, shown_uris
from portico_runtime.process.clock import Clock

from portico_token.assertions.claims import InvalidAssertion, read_claims, refuse_untimely, wrong_audience, wrong_claim
from portico_token.assertions.keys import ParsedKeys
from portico_token.assertions.verification import is_assertion_type
from portico_token.domain.clients import CLIENT_AUTHENTICATION, Registration
from portico_token.workloads.decoys import DECOY_KEY, spend_a_verification
from portico_token.workloads.issuer_keys import IssuerKeyCache
from portico_token.workloads.shown_claims import shown_text, shown_value

_ANYTHING: Final = "\u2026"
_DECOY: Final = TrustedWorkload(name="", issuer="", conditions=(WorkloadCondition(claim="sub", value="-"),))
_DECOYS: Final = (_DECOY, msgspec.structs.replace(_DECOY, issuer="https://issuer.example.com/path"))
_METHOD: Final = AuthMethod.PRIVATE_KEY_JWT.value


class Untrusted(Exception):
    """No trusted workload of the client has sent the token; `compared` is for diagnostics only."""

    def __init__(self, compared: Compared) -> None:
        super().__init__(compared.hint)
        self.compared = compared


class _Fault(NamedTuple):
    """What one trusted workload refuses; a later `step` is nearer to being accepted."""

    step: int
    compared: Compared


class WorkloadTokens:
    def __init__(self, issuer: str, keys: IssuerKeyCache, clock: Clock) -> None:
        self._issuer = issuer
        self._keys = keys
        self._clock = clock
        self._parsed = ParsedKeys()

    async def verify(self, text: str, known: Registration | None) -> tuple[Registration, TrustedWorkload]:
        """Returns the client with the first of its trusted workloads that the token fulfils.

        Raises Untrusted, after exactly one verification (P9), and `unavailable` where no keys are known.
        """
        client = known.client if known else None
        try:
            header, sent = unverified_header(text), unverified_claims(text)
        except MalformedToken as error:
            raise Untrusted(_compared(Hint.MALFORMED)) from error
        trusted = self._trusted_of(client, sent.get("iss"))
        fault = _Fault(0, _compared(Hint.UNKNOWN, shown_issuer(sent), _issuers_of(client)))
        if known is None or client is None or not trusted:
            spend_a_verification(text, header.get("alg"))
            self._fault_of(_DECOY, DECOY_KEY, unverified_claims(text))
            raise Untrusted(fault.compared)
        found = [await self._key_of(client, workload, header) for workload in trusted]
        key = _only_key(found)
        signed = _signed_claims(text, header, key)
        for workload, own in zip(trusted, found, strict=True):
            refused = self._fault_of(workload, key if own else None, signed)
            if refused is None:
                return known, workload
            fault = max(fault, refused, key=lambda one: one.step)
        if signed is None:
            self._fault_of(_DECOY, DECOY_KEY, sent)
        raise Untrusted(fault.compared)

    def _trusted_of(self, client: Client | None, issuer: object) -> list[TrustedWorkload]:
        """Those of the issuer, by code point (JW-06). Tokens of this installation are never those of a workload."""
        if client is None or issuer == self._issuer:
            return []
        return [workload for workload in client.trusted_workloads if workload.issuer == issuer]

    async def _key_of(
        self, client: Client, workload: TrustedWorkload, header: Mapping[str, Any]
    ) -> VerificationKey | None:
        kid = header.get("kid", "")
        if not isinstance(kid, str):
            return None
        keys = workload.keys
        if not workload.has_keys:
            keys = await self._keys.find(client, workload.issuer, kid)
        return self._parsed.find(keys, header, self._clock.now())

    def _fault_of(
        self, workload: TrustedWorkload, key: VerificationKey | None, claims: dict[str, Any] | None
    ) -> _Fault | None:
        if key is None:
            return _Fault(1, _compared(Hint.NO_KEY, wanted=(workload.name[:40],)))
        if claims is None:
            return _Fault(2, _compared(Hint.WRONG_SIGNATURE, wanted=(f"{key.alg} kid={shown_text(key.kid, 40)}",)))
        try:
            self._refuse_claims(workload, claims)
        except InvalidAssertion as invalid:
            return _Fault(3, invalid.compared)
        for condition in workload.conditions:
            if not fulfils(claims, condition):
                return _Fault(4, _unfulfilled(claims, condition))
        return None

    def _refuse_claims(self, workload: TrustedWorkload, sent: dict[str, Any]) -> None:
        """Raises InvalidAssertion. The audience is one value, in an array or not (JW-09); `iat` is required (JW-12)."""
        audience, now = workload.audience or self._issuer, self._clock.now()
        claims = read_claims(sent, (audience,), now)
        if not claims.is_dated:
            raise wrong_claim("iat")
        if claims.aud != (audience,):
            raise wrong_audience("another audience", (audience,), shown_uri(claims.aud[0]))
        refuse_untimely(claims, sent, now)


def _only_key(found: Sequence[VerificationKey | None]) -> VerificationKey | None:
    """None where different keys fit the token: each would cost a verification, and USER-247 refuses them at save."""
    keys = [key for key in found if key]
    return keys[0] if keys and all(key == keys[0] for key in keys) else None


def _signed_claims(text: str, header: Mapping[str, Any], key: VerificationKey | None) -> dict[str, Any] | None:
    if key is None or not is_assertion_type(header.get("typ", "JWT")):
        spend_a_verification(text, header.get("alg"))
        return None
    if header.get("alg") != key.alg:
        spend_a_verification(text, key.alg)
        return None
    try:
        return key.verify(text)
    except MalformedToken:
        return None


def fulfils(claims: Mapping[str, Any], condition: WorkloadCondition) -> bool:
    """Only text fulfils a condition; a prefix needs something after it, and never matches in any other case."""
    value = claims.get(condition.claim)
    if not isinstance(value, str) or not condition.value:
        return False
    if condition.match is ConditionMatch.PREFIX:
        return value.startswith(condition.value) and len(value) > len(condition.value)
    return value == condition.value


def _unfulfilled(claims: Mapping[str, Any], condition: WorkloadCondition) -> Compared:
    name = shown_text(condition.claim, 40)
    is_prefix = condition.match is ConditionMatch.PREFIX
    wanted = f"{name}={shown_text(condition.value)}{_ANYTHING if is_prefix else ''}"
    if condition.claim not in claims:
        return _compared(Hint.CONDITION, f"{name}: -", (wanted,))
    return _compared(Hint.CONDITION, f"{name}={shown_value(claims[condition.claim])}", (wanted,))


def shown_issuer(claims: Mapping[str, Any]) -> str:
    issuer = claims.get("iss")
    return shown_uri(issuer) if isinstance(issuer, str) else ""


def _issuers_of(client: Client | None) -> tuple[str, ...]:
    """Takes as long for a client without trusted workloads (P9)."""
    known = client.trusted_workloads if client else ()
    found = shown_uris(dict.fromkeys(one.issuer for one in known or _DECOYS))[:MOST_WANTED]
    return found if known else ()


def _compared(hint: Hint, given: str = _METHOD, wanted: tuple[str, ...] = ()) -> Compared:
    return Compared(CLIENT_AUTHENTICATION, given, wanted, hint)
