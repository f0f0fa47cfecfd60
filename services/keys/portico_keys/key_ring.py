"""What this replica serves from memory: the key set, also while the store cannot be asked (FD-02)."""

from __future__ import annotations

from collections.abc import Sequence

from portico_oauth.errors import Fact, Kind

from portico_keys.domain.key import Key
from portico_keys.jwks import KeySet, key_set_of

NOT_LOADED = Fact(
    "KEYS-001",
    Kind.UNAVAILABLE,
    "The key set has not been read from the store yet.",
    "Try again after the seconds in Retry-After.",
)


class KeyRing:
    """The key set as last read; `Tending` renews it every second."""

    def __init__(self) -> None:
        self._keys: list[Key] | None = None
        self._key_set: KeySet | None = None

    def show(self, keys: Sequence[Key]) -> None:
        """Replaces what is served."""
        if self._keys == list(keys):
            return
        self._keys = list(keys)
        self._key_set = key_set_of(keys)

    def key_set(self) -> KeySet:
        """The key set.

        Raises:
            Refusal: KEYS-001 before the first reading.
        """
        if self._key_set is None:
            raise NOT_LOADED.refusal(retry_after=1)
        return self._key_set
