"""What keys answers."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class AskActiveKeys(Message, frozen=True):
    """A token replica asks for the keys it may sign with.

    Attributes:
        public_key: the replica's ephemeral X25519 public key, raw 32 bytes; the answer is sealed to it.
    """

    public_key: bytes


class SealedKey(Message, frozen=True):
    """One private key, readable by the asker only.

    Attributes:
        kid: key id.
        alg: the one algorithm it signs with.
        activates_at: unix time in seconds from which it may sign; the newest activated one of an algorithm signs.
        sender_key: keys' ephemeral X25519 public key, raw 32 bytes.
        nonce: 12 bytes for AES-256-GCM.
        sealed: PKCS #8 DER, encrypted; associated data binds kid and asker.
    """

    kid: str
    alg: str
    activates_at: float
    sender_key: bytes
    nonce: bytes
    sealed: bytes


class ActiveKeys(Message, frozen=True):
    """The keys of all algorithms, as a lease.

    Attributes:
        keys: the signing keys and those planned to sign, each with its activation time.
        lease: seconds this answer may be used; afterwards the asker must refuse to sign (503).
    """

    keys: tuple[SealedKey, ...]
    lease: float


class AskPublicKeys(Message, frozen=True):
    """Asks for the key set."""


class PublicKeys(Message, frozen=True):
    """The published key set.

    Attributes:
        jwks: public JWKs, each with kid, use and alg (RFC 7517).
    """

    jwks: tuple[dict[str, str], ...]


ACTIVE_KEYS = Rpc("keys.v1.active.ask", AskActiveKeys, ActiveKeys, ("token",))
PUBLIC_KEYS = Rpc("keys.v1.public.ask", AskPublicKeys, PublicKeys, ("authz", "token", "users", "login-ui"))
