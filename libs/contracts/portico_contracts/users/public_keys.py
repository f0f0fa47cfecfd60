from __future__ import annotations

from portico_contracts.subjects import Message


class PublicKey(Message, frozen=True):
    """A public JWK (RFC 7517) with kid and its only alg; `expires_at` is unix seconds, 0 for never."""

    kid: str
    alg: str
    jwk: dict[str, str]
    expires_at: float = 0
