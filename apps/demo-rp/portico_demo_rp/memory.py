from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from portico_runtime.process.clock import Clock

from portico_demo_rp.logout_token import Logout

MAX_KEPT: Final = 1_000

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class SignedIn:
    token: dict[str, Any] = field(repr=False)
    claims: dict[str, Any]
    userinfo: dict[str, Any]


class BegunSignIns:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def get(self, key: str) -> str | None:
        ends, value = self._kept.get(key, (0.0, ""))
        return value if self._clock.now() < ends else None

    async def set(self, key: str, value: str, seconds: float) -> None:
        _keep(self._kept, key, (self._clock.now() + seconds, value))

    async def delete(self, key: str) -> None:
        self._kept.pop(key, None)


class Visitors:
    def __init__(self) -> None:
        self._kept: OrderedDict[str, SignedIn] = OrderedDict()
        self._signed_out: OrderedDict[str, float] = OrderedDict()

    def find(self, visitor_id: str) -> SignedIn | None:
        return self._kept.get(visitor_id)

    def remember(self, visitor_id: str, signed_in: SignedIn) -> None:
        _keep(self._kept, visitor_id, signed_in)

    def forget(self, visitor_id: str) -> None:
        self._kept.pop(visitor_id, None)
        self._signed_out.pop(visitor_id, None)

    def sign_out(self, logout: Logout, at: float) -> int:
        ended = [visitor_id for visitor_id, signed_in in self._kept.items() if _is_meant(logout, signed_in)]
        for visitor_id in ended:
            del self._kept[visitor_id]
            _keep(self._signed_out, visitor_id, at)
        return len(ended)

    def signed_out_at(self, visitor_id: str) -> float | None:
        return self._signed_out.get(visitor_id)


def _is_meant(logout: Logout, signed_in: SignedIn) -> bool:
    claims = signed_in.claims
    return (not logout.sub or claims["sub"] == logout.sub) and (not logout.sid or claims.get("sid") == logout.sid)


def _keep(kept: OrderedDict[str, Kept], key: str, value: Kept) -> None:
    kept[key] = value
    while len(kept) > MAX_KEPT:
        kept.popitem(last=False)
