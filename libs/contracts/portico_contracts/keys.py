from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class GetActiveKeys(Message, frozen=True):
    """A token replica requests its signing keys.

    `public_key` is the replica's ephemeral X25519 public key, raw 32 bytes; the reply is sealed to it.
    """

    public_key: bytes


class SealedKey(Message, frozen=True):
    """One private key, sealed to the requester.

    Attributes:
        alg: the only algorithm of the key.
        activates_at: unix seconds from which the key may sign; the most recently activated key of an algorithm
            signs. 0 for the first key of an algorithm, so that a requester with a slow clock has a key.
        sender_key: ephemeral X25519 public key of the keys service, raw 32 bytes.
        nonce: 12 bytes for AES-256-GCM.
        sealed: PKCS #8 DER, encrypted; the associated data binds kid and requester.
    """

    kid: str
    alg: str
    activates_at: float
    sender_key: bytes
    nonce: bytes
    sealed: bytes


class ActiveKeys(Message, frozen=True):
    """The signing keys of all algorithms, as a lease.

    `keys` includes planned keys with their activation times. `lease` is in seconds; after it the requester
    must not sign (503).
    """

    keys: tuple[SealedKey, ...]
    lease: float


class GetPublicKeys(Message, frozen=True):
    """Requests the key set."""


class PublicKeys(Message, frozen=True):
    """The published key set.

    Attributes:
        jwks: public JWKs, each with kid, use and alg (RFC 7517).
        revoked: kids of revoked keys; their signatures are rejected.
        expired: public JWKs removed from the key set while sessions of their time may live; they verify only
            id_token_hint.
    """

    jwks: tuple[dict[str, str], ...]
    revoked: tuple[str, ...] = ()
    expired: tuple[dict[str, str], ...] = ()


class RotateKeys(Message, frozen=True):
    """Requests rotation of one algorithm's key, or of all when `alg` is empty.

    With `now` the key is published at once and signs after the short delay.
    """

    alg: str = ""
    now: bool = False


class RevokeKey(Message, frozen=True):
    """Revokes a key at once: it leaves the key set, and its signatures are rejected."""

    kid: str


class RewrapKeys(Message, frozen=True):
    """Reseals all stored keys under the newest master key."""


class GetKeyStates(Message, frozen=True):
    """Requests all keys that have not expired."""


class KeyState(Message, frozen=True):
    """One key as shown to the operator.

    `state` is made, published, signing, retired or revoked. `since` and `activates_at` are unix seconds.
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
