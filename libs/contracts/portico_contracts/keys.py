from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class GetActiveKeys(Message, frozen=True):
    """Requests the signing keys, sealed to `public_key`: the replica's ephemeral X25519 key, raw 32 bytes."""

    public_key: bytes


class SealedKey(Message, frozen=True):
    """One private key, sealed to the requester.

    `activates_at` is in unix seconds; the most recently activated key of an algorithm signs. It is 0 for the
    first key of an algorithm, so that a requester with a slow clock has a key. `sender_key` is an ephemeral
    X25519 public key, raw 32 bytes; `sealed` is PKCS #8 DER, whose associated data binds kid and requester.
    """

    kid: str
    alg: str
    activates_at: float
    sender_key: bytes
    nonce: bytes
    sealed: bytes


class ActiveKeys(Message, frozen=True):
    """The keys, with planned ones, as a `lease` in seconds; after it the requester must not sign (503)."""

    keys: tuple[SealedKey, ...]
    lease: float


class GetPublicKeys(Message, frozen=True):
    """Requests the key set."""


class PublicKeys(Message, frozen=True):
    """The key set: public JWKs, kids of `revoked` keys, and `expired` keys, which verify only id_token_hint."""

    jwks: tuple[dict[str, str], ...]
    revoked: tuple[str, ...] = ()
    expired: tuple[dict[str, str], ...] = ()


class RotateKeys(Message, frozen=True):
    """Requests rotation of one algorithm's key, or of all; with `now` it signs after only the short delay."""

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
    """One key as shown to the operator: made, published, signing, retired or revoked. Times are unix seconds."""

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
