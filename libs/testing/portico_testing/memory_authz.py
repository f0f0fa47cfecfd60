"""The stores of authz in memory, held to the same conformance suite as the ones on Redis."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import Claim, CodeRecord, Outcome, Presented
from portico_authz.domain.ports import Stores
from portico_authz.domain.session import Session
from portico_authz.store.redis_codes import MARK_SECONDS
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.clock import Clock

Value = TypeVar("Value")


class Shelf(Generic[Value]):
    """Values that leave by themselves, as keys with a TTL do."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._values: dict[str, tuple[float, Value]] = {}
        self.down = False
        """When true, everything is `unavailable`."""

    def put(self, key: str, value: Value, seconds: float) -> None:
        """Keeps a value."""
        self._refuse_when_down()
        self._values[key] = (self._clock.now() + seconds, value)

    def change(self, key: str, value: Value) -> None:
        """Changes a value and not its end."""
        self._values[key] = (self._values[key][0], value)

    def extend(self, key: str, seconds: float) -> None:
        """Keeps a value at least so long."""
        found = self.get(key)
        if found is not None:
            self._values[key] = (max(self._values[key][0], self._clock.now() + seconds), found)

    def get(self, key: str) -> Value | None:
        """The value, while it is kept."""
        self._refuse_when_down()
        until, value = self._values.get(key, (0.0, None))
        return value if self._clock.now() < until else None

    def drop(self, key: str) -> bool:
        """Takes a value away; True when it was there."""
        found = self.get(key)
        self._values.pop(key, None)
        return found is not None

    def __len__(self) -> int:
        return sum(self.get(key) is not None for key in self._values)

    def _refuse_when_down(self) -> None:
        if self.down:
            raise UNAVAILABLE.refusal(retry_after=1, part="memory")


class MemoryBrowsers:
    """`Browsers` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.shelf: Shelf[Browser] = Shelf(clock)

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        """See `Browsers.create`."""
        self.shelf.put(handle, browser, seconds)

    async def find(self, handle: str) -> Browser | None:
        """See `Browsers.find`."""
        return self.shelf.get(handle)

    async def extend(self, handle: str, seconds: int) -> None:
        """See `Browsers.extend`."""
        self.shelf.extend(handle, seconds)

    async def rotate(self, old: str, new: str, browser: Browser, seconds: int) -> bool:
        """See `Browsers.rotate`."""
        if not self.shelf.drop(old):
            return False
        self.shelf.put(new, browser, seconds)
        return True


class MemorySessions:
    """`Sessions` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.shelf: Shelf[Session] = Shelf(clock)

    async def save(self, session: Session, seconds: int) -> None:
        """See `Sessions.save`."""
        self.shelf.put(session.sid, session, seconds)

    async def find(self, sid: str) -> Session | None:
        """See `Sessions.find`."""
        return self.shelf.get(sid)


class MemoryAuthRequests:
    """`AuthRequests` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.shelf: Shelf[AuthRequest] = Shelf(clock)

    async def create(self, request: AuthRequest, seconds: int) -> None:
        """See `AuthRequests.create`."""
        self.shelf.put(request.id, request, seconds)

    async def find(self, id: str) -> AuthRequest | None:
        """See `AuthRequests.find`."""
        return self.shelf.get(id)

    async def arm(self, id: str, csrf: str) -> str | None:
        """See `AuthRequests.arm`."""
        found = self.shelf.get(id)
        if found is None:
            return None
        armed = found.csrf or csrf
        self.shelf.change(id, replace(found, csrf=armed))
        return armed

    async def swap(self, id: str, old: str, new: str) -> bool:
        """See `AuthRequests.swap`."""
        found = self.shelf.get(id)
        if found is None or not found.csrf or found.csrf != old:
            return False
        self.shelf.change(id, replace(found, csrf=new))
        return True

    async def change(
        self, id: str, *, login_name: str | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        """See `AuthRequests.change`."""
        found = self.shelf.get(id)
        if found is None:
            return False
        changed = replace(
            found,
            login_name=found.login_name if login_name is None else login_name,
            signed_in=found.signed_in if signed_in is None else signed_in,
            denied=found.denied or denied,
        )
        self.shelf.change(id, changed)
        return True

    async def consume(self, id: str) -> bool:
        """See `AuthRequests.consume`."""
        return self.shelf.drop(id)


class MemoryParkedPosts:
    """`ParkedPosts` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.shelf: Shelf[dict[str, str]] = Shelf(clock)

    async def park(self, id: str, parameters: dict[str, str], seconds: int) -> None:
        """See `ParkedPosts.park`."""
        self.shelf.put(id, dict(parameters), seconds)

    async def find(self, id: str) -> dict[str, str] | None:
        """See `ParkedPosts.find`."""
        return self.shelf.get(id)


class MemoryCodes:
    """`Codes` in memory, beside the sessions they are issued for."""

    def __init__(self, clock: Clock, sessions: MemorySessions) -> None:
        self.shelf: Shelf[CodeRecord] = Shelf(clock)
        self._sessions = sessions
        self._used: set[str] = set()

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> bool:
        """See `Codes.issue`."""
        kept = self._sessions.shelf.get(session.sid)
        if kept is None:
            return False
        self._sessions.shelf.put(
            session.sid, replace(kept, idle_until=session.idle_until), session.seconds_left(now)
        )  # fmt: skip
        self.shelf.put(code, record, record.expires_at - now)
        return True

    async def claim(self, code: str, presented: Presented, now: float) -> Claim:
        """See `Codes.claim`."""
        record = self.shelf.get(code)
        if record is None:
            return Claim(Outcome.UNKNOWN)
        refused = _refused(record, presented)
        if refused:
            return Claim(refused)
        if code in self._used:
            return Claim(Outcome.SPENT, grant_id=record.grant.grant_id)
        if now >= record.expires_at:
            return Claim(Outcome.EXPIRED)
        self._used.add(code)
        self.shelf.put(code, record, MARK_SECONDS)
        return Claim(Outcome.CLAIMED, grant=record.grant)


def memory_authz_stores(clock: Clock) -> Stores:
    """All stores of authz in memory."""
    sessions = MemorySessions(clock)
    return Stores(
        browsers=MemoryBrowsers(clock),
        sessions=sessions,
        requests=MemoryAuthRequests(clock),
        parked=MemoryParkedPosts(clock),
        codes=MemoryCodes(clock, sessions),
    )


def _refused(record: CodeRecord, presented: Presented) -> Outcome | None:
    if (record.grant.client_id, record.redirect_uri) != (presented.client_id, presented.redirect_uri):
        return Outcome.FOREIGN
    if not record.challenge:
        return Outcome.VERIFIER_UNASKED if presented.has_verifier else None
    if not presented.has_verifier:
        return Outcome.VERIFIER_MISSING
    return None if record.challenge == presented.challenge else Outcome.VERIFIER_WRONG
