"""Verifies an identity assertion: signed by a trusted issuer, for this server and client, valid now, used once.

What is not verified decides only which keys verify. Every refusal costs one verification, with a decoy key where there
is no other (P9), and an issuer that no organization trusts for the client costs no request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AssertionTrust, Client
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.jose import MalformedToken, VerificationKey, unverified_claims, unverified_header
from portico_oauth.opaque import fingerprint
from portico_runtime.process.clock import Clock

from portico_token.accepted_assertions.claims import IdentityClaims, Refused, is_of_tenant, read_identity_claims
from portico_token.accepted_assertions.kind import is_type
from portico_token.assertions.keys import ParsedKeys
from portico_token.domain.assertions import Assertion, AssertionStore, ClaimResult
from portico_token.users_client import UsersClient
from portico_token.workloads.decoys import spend_a_verification
from portico_token.workloads.issuer_keys import IssuerKeyCache
from portico_token.workloads.shown_claims import shown_text
from portico_token.workloads.tokens import shown_issuer

MAX_ISSUER: Final = 500
"""Characters of an issuer; a longer one is unknown without a request."""


@dataclass(frozen=True, slots=True)
class Verified:
    """`trusts` are those of the issuer and of the tenant; which of them, the link of the subject decides."""

    claims: IdentityClaims
    trusts: tuple[AssertionTrust, ...]


class AcceptedAssertions:
    def __init__(
        self, issuer: str, users_client: UsersClient, keys: IssuerKeyCache, store: AssertionStore, clock: Clock
    ) -> None:
        self._issuer = issuer
        self._users_client = users_client
        self._keys = keys
        self._store = store
        self._clock = clock
        self._parsed = ParsedKeys()

    async def verify(self, text: str, client: Client) -> Verified:
        """Verifies everything except that it is presented for the first time. Raises Refused, and `unavailable`."""
        try:
            header, sent = unverified_header(text), unverified_claims(text)
        except MalformedToken as error:
            raise Refused(Hint.MALFORMED) from error
        trusts = await self._trusts(client, sent.get("iss"))
        if not trusts:
            spend_a_verification(text, header.get("alg"))
            raise Refused(Hint.UNKNOWN_ISSUER, shown_issuer(sent))
        signed = await self._signed_claims(text, header, client, trusts[0], str(sent["iss"]))
        claims = read_identity_claims(signed, self._issuer, client.client_id, self._clock.now())
        of_tenant = tuple(trust for trust in trusts if is_of_tenant(claims, trust))
        if not of_tenant:
            raise Refused(Hint.CONDITION, wanted=_tenants_of(trusts))
        return Verified(claims, of_tenant)

    async def claim(self, claims: IdentityClaims) -> None:
        """Claims the assertion: at most one caller gets through, on any replica. Raises Refused, and `unavailable`."""
        now = self._clock.now()
        name = fingerprint(f"id-jag\n{claims.iss}\n{claims.jti}")
        assertion = Assertion(claims.iss, name, claims.iat, claims.iat, claims.exp)
        seconds = max(claims.exp - int(now), 0) + CLOCK_LEEWAY
        if await self._store.claim(assertion, seconds, now) is not ClaimResult.FIRST:
            raise Refused(Hint.USED_BEFORE, wanted=("a new assertion for each request",))

    async def _trusts(self, client: Client, issuer: object) -> tuple[AssertionTrust, ...]:
        """Assertions of this installation are never accepted by itself."""
        if not isinstance(issuer, str) or not 0 < len(issuer) <= MAX_ISSUER or issuer == self._issuer:
            return ()
        return await self._users_client.assertion_trusts(client.client_id, issuer)

    async def _signed_claims(
        self, text: str, header: Mapping[str, Any], client: Client, trust: AssertionTrust, issuer: str
    ) -> dict[str, Any]:
        kid = header.get("kid", "")
        key: VerificationKey | None = None
        if isinstance(kid, str):
            keys = await self._keys.find(client, issuer, kid, trust.provider_id)
            key = self._parsed.find(keys, header, self._clock.now())
        if key is None:
            spend_a_verification(text, header.get("alg"))
            raise Refused(Hint.NO_KEY, wanted=(shown_text(trust.name, 40),))
        if header.get("alg") != key.alg or not is_type(header.get("typ")):
            spend_a_verification(text, key.alg)
            raise _wrong_signature(key)
        try:
            return key.verify(text)
        except MalformedToken as error:
            raise _wrong_signature(key) from error


def _wrong_signature(key: VerificationKey) -> Refused:
    return Refused(Hint.WRONG_SIGNATURE, wanted=(f"{key.alg} kid={shown_text(key.kid, 40)}",))


def _tenants_of(trusts: tuple[AssertionTrust, ...]) -> tuple[str, ...]:
    return tuple(f"{shown_text(one.tenant_claim, 40)}={shown_text(one.tenant)}" for one in trusts if one.tenant_claim)
