"""What keys answers."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class GetActiveKeys(Message, frozen=True):
    """A token replica requests the keys it may sign with.

    Attributes:
        public_key: the replica's ephemeral X25519 public key, raw 32 bytes; the answer is sealed to it.
    """

    public_key: bytes


class SealedKey(Message, frozen=True):
    """One private key, readable by the requester only.

    Attributes:
        kid: key id.
        alg: the one algorithm it signs with.
        activates_at: unix time in seconds from which it may sign; the newest activated one of an algorithm signs.
            0 for the first of an algorithm, so that a requester whose clock is slow has a key as well.
        sender_key: keys' ephemeral X25519 public key, raw 32 bytes.
        nonce: 12 bytes for AES-256-GCM.
        sealed: PKCS #8 DER, encrypted; associated data binds kid and requester.
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
        lease: seconds this answer may be used; afterwards the requester must refuse to sign (503).
    """

    keys: tuple[SealedKey, ...]
    lease: float


class GetPublicKeys(Message, frozen=True):
    """Requests the key set."""


class PublicKeys(Message, frozen=True):
    """The published key set.

    Attributes:
        jwks: public JWKs, each with kid, use and alg (RFC 7517).
        revoked: kids of keys that were revoked, so that what they signed is refused by name.
        expired: public JWKs that left the key set while sessions from their time may live. They verify an id_token_hint
            and nothing else.
    """

    jwks: tuple[dict[str, str], ...]
    revoked: tuple[str, ...] = ()
    expired: tuple[dict[str, str], ...] = ()


class RotateKeys(Message, frozen=True):
    """The operator requests a new key of an algorithm, or of every configured one.

    Attributes:
        alg: empty for all configured algorithms.
        now: publish at once and sign after the short wait, instead of the planned one.
    """

    alg: str = ""
    now: bool = False


class RevokeKey(Message, frozen=True):
    """The operator revokes a key at once: it leaves the key set, and what it signed is refused."""

    kid: str


class RewrapKeys(Message, frozen=True):
    """The operator asks to seal every stored key under the newest master key."""


class GetKeyStates(Message, frozen=True):
    """The operator requests all keys that have not expired."""


class KeyState(Message, frozen=True):
    """One key as the operator sees it.

    Attributes:
        state: made, published, signing, retired or revoked.
        since: unix seconds of the last change of state.
        activates_at: unix seconds from which it signs.
    """

    kid: str
    alg: str
    state: str
    since: float
    activates_at: float


class KeyStates(Message, frozen=True):
    """The keys, newest first."""

    keys: tuple[KeyState, ...]


ROTATE_KEYS = Rpc("keys.v1.rotate.run", RotateKeys, KeyStates, ("operator", "users"))
REVOKE_KEY = Rpc("keys.v1.revoke.run", RevokeKey, KeyStates, ("operator", "users"))
REWRAP_KEYS = Rpc("keys.v1.rewrap.run", RewrapKeys, KeyStates, ("operator",))
KEY_STATES = Rpc("keys.v1.states.ask", GetKeyStates, KeyStates, ("operator", "users"))
ACTIVE_KEYS = Rpc("keys.v1.active.ask", GetActiveKeys, ActiveKeys, ("token",))
PUBLIC_KEYS = Rpc("keys.v1.public.ask", GetPublicKeys, PublicKeys, ("authz", "token", "users"))
