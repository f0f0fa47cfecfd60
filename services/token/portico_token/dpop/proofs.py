"""Accepts DPoP proofs: each is verified, and works once on all replicas (RFC 9449 section 11.1)."""

from __future__ import annotations

from collections.abc import Sequence

from portico_contracts.diagnostics import Hint
from portico_oauth.dpop import HEADER
from portico_oauth.opaque import fingerprint
from portico_runtime.process.clock import Clock
from portico_web.headers import list_headers
from starlette.requests import Request

from portico_token.domain.assertions import Assertion, AssertionStore, ClaimResult
from portico_token.dpop import errors
from portico_token.dpop.errors import refused
from portico_token.dpop.nonces import Nonces
from portico_token.dpop.proof import Call, Proof, mark_seconds, verify_proof


class Proofs:
    def __init__(self, issuer: str, store: AssertionStore, clock: Clock, nonces: Nonces) -> None:
        self.issuer = issuer
        self.nonces = nonces
        self._store = store
        self._clock = clock

    async def accept(self, sent: Sequence[str], call: Call) -> str:
        """Returns the thumbprint of the proven key, empty without a proof.

        Raises TOKEN-301..311, and `unavailable` when the store cannot decide whether the proof was used before.
        """
        if not sent:
            return ""
        if len(sent) > 1:
            raise refused(errors.SEVERAL_PROOFS, f"{len(sent)} headers", ("1 header",), Hint.REPEATED)
        now = self._clock.now()
        proof = verify_proof(sent[0], call, now)
        if call.needs_nonce:
            self.nonces.refuse_others(proof.nonce)
        await self._claim(proof, now, call.skew)
        return proof.jkt

    async def _claim(self, proof: Proof, now: float, skew: int) -> None:
        """Marks it by key and `jti`: a client cannot use up the proofs of another one."""
        mark = Assertion(
            issuer=proof.jkt,
            name=fingerprint(f"dpop\n{proof.jkt}\n{proof.jti}"),
            issued=proof.issued,
            earliest=proof.issued,
            expires=proof.issued,
        )
        claimed = await self._store.claim(mark, mark_seconds(proof, now, skew), now)
        if claimed is not ClaimResult.FIRST:
            raise refused(errors.USED_PROOF, claimed.name.lower(), ("a new proof for each request",), Hint.USED_BEFORE)


def sent_proofs(request: Request) -> list[str]:
    return list_headers(request, HEADER)
