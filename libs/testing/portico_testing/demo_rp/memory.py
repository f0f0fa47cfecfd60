"""What the relying party remembers, in this process: begun sign-ins, and who is signed in."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from portico_runtime.clock import Clock

MAX_KEPT: Final = 1_000


@dataclass(frozen=True, slots=True)
class SignedIn:
    """One completed sign-in.

    Args:
        token: the token endpoint's answer as it came.
        claims: of the id_token, after Authlib's checks.
        userinfo: what the userinfo endpoint said.
    """

    token: dict[str, Any] = field(repr=False)
    claims: dict[str, Any]
    userinfo: dict[str, Any]


class BegunSignIns:
    """The cache Authlib keeps state, nonce and verifier in, so that they stay out of the cookie."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def get(self, key: str) -> str | None:
        """The value, while it is fresh."""
        ends, value = self._kept.get(key, (0.0, ""))
        return value if self._clock.now() < ends else None

    async def set(self, key: str, value: str, seconds: float) -> None:
        """Keeps a value for some seconds; the oldest makes room."""
        self._kept[key] = (self._clock.now() + seconds, value)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    async def delete(self, key: str) -> None:
        """Forgets a value."""
        self._kept.pop(key, None)


class Visitors:
    """Who is signed in, by the id in the cookie."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, SignedIn] = OrderedDict()

    def find(self, visitor_id: str) -> SignedIn | None:
        """The sign-in of a visitor, or nothing."""
        return self._kept.get(visitor_id)

    def remember(self, visitor_id: str, signed_in: SignedIn) -> None:
        """Keeps a sign-in; the oldest makes room."""
        self._kept[visitor_id] = signed_in
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    def forget(self, visitor_id: str) -> None:
        """Ends a visitor's session here; the provider's session lives on."""
        self._kept.pop(visitor_id, None)
