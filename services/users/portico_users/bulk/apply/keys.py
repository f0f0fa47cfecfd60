"""Reads the keys of an application or a service user."""

from __future__ import annotations

from collections.abc import Sequence

from portico_contracts.apply import Key

from portico_users.commands.client_keys import WantedKey, WantedKeys
from portico_users.kernel.problems import below
from portico_users.kernel.timestamps import unix_seconds


def wanted_keys(wanted: Sequence[Key] | None, path: str, *, exact: bool) -> WantedKeys | None:
    """The keys a document names; None where it has no list of them.

    Args:
        path: place of their owner in the document.

    Raises:
        ServiceError: USER-052 with the place of an expiration that is no date.
    """
    if wanted is None:
        return None
    return WantedKeys([_read(key, f"{path}.keys[{number}]") for number, key in enumerate(wanted)], exact)


def _read(wanted: Key, place: str) -> WantedKey:
    with below(f"{place}.expirationDate"):
        # 0 is stored for never, and 1970 has passed.
        expires_at = max(unix_seconds(wanted.expiration_date), 1.0) if wanted.expiration_date else 0.0
    return WantedKey(wanted.public_key, wanted.id, expires_at)
