"""Admission control for hashing: a hash starts only if its response will be in time (RX-08, decision 0029).

A queue has a number of threads. A hash that would wait too long is refused before it starts, with a
Retry-After. The queue for costly hashes also books: a caller that returns at the given time is admitted.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

from portico_contracts.users import BOOKED_WAIT_SECONDS, HASH_WAIT_SECONDS
from portico_oauth.errors import ErrorCode, Kind
from prometheus_client.metrics import Counter, Histogram

OVERLOADED = ErrorCode(
    "USER-034",
    Kind.UNAVAILABLE,
    "Too many passwords are being checked at the moment.",
    "Try again after the number of seconds in Retry-After.",
)

HASH_SECONDS = Histogram(
    "portico_password_hash_seconds", "Duration of a password hash.", buckets=(0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 5.0)
)
REFUSED = Counter(
    "portico_password_hash_rejected_total", "Password hashes rejected because the queue was full, by queue.", ["lane"]
)

SLACK: Final = 2.0
"""Seconds of work that may still precede a returning caller, to allow for estimation errors."""

HORIZON: Final = 60.0
"""Seconds ahead that can be booked; limits the memory that refused callers take."""

GRACE: Final = 10.0
"""Seconds that a booking stays valid after its time."""

EARLY: Final = 0.25
"""Seconds before its time that a booking is accepted, because clients round."""

RESERVE: Final = 1.25
"""Allowance for the work before a booking to exceed its estimate."""

HICCUP: Final = 0.25
"""Seconds of delay of a hash that do not affect the estimate of the next."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Booking:
    due: float
    seconds: float


class Place:
    """A place in a queue. It is released when its holder leaves and all its threads have ended."""

    def __init__(self, queue: HashQueue, seconds: float) -> None:
        self._queue = queue
        self._seconds = seconds
        self._began: float | None = None
        self._holders = 1

    def left(self, now: float) -> float:
        return self._seconds if self._began is None else max(0.0, self._seconds - (now - self._began))

    def slowness(self, now: float) -> float:
        """Returns the ratio of elapsed to estimated time, at least 1."""
        return 1.0 if self._began is None else max(1.0, (now - self._began) / (self._seconds + HICCUP))

    def leave(self) -> None:
        self._holders -= 1
        if self._holders == 0:
            self._queue.discard(self)

    async def run(self, work: Callable[[], Result], *, took: Callable[[float], None] = lambda _seconds: None) -> Result:
        """Runs the work in a thread, which calls ``took`` with the seconds; cancelling does not release the place."""

        def timed() -> Result:
            began = self._began = self._queue.now()
            result = work()
            seconds = self._queue.now() - began
            HASH_SECONDS.observe(seconds)
            took(seconds)
            return result

        loop = asyncio.get_running_loop()

        def ended(_future: Future[Result]) -> None:
            with suppress(RuntimeError):  # the loop is closed already: the process ends
                loop.call_soon_threadsafe(self.leave)

        self._holders += 1
        future = self._queue.executor.submit(timed)
        future.add_done_callback(ended)
        return await asyncio.wrap_future(future)


class HashQueue:
    def __init__(
        self,
        name: str,
        executor: Executor,
        workers: int,
        *,
        waiting: int,
        now: Callable[[], float],
        books: bool = False,
    ) -> None:
        """`now` returns monotonic seconds; `books` gives refused callers a time at which they are admitted."""
        self.executor = executor
        self.now = now
        self.workers = workers
        self._name = name
        self._most = workers + waiting
        self._books = books
        self._places: set[Place] = set()
        self._bookings: dict[str, _Booking] = {}

    def admit(self, seconds: float, caller: str = "") -> Place:
        """Returns a place for so many seconds of work; ``caller`` identifies an account that returns for a booking."""
        now = self.now()
        self._bookings = {who: one for who, one in self._bookings.items() if now <= one.due + GRACE}
        booking = self._bookings.get(caller) if caller else None
        is_due = booking is not None and now >= booking.due - EARLY
        if is_due and self._wait(now) <= BOOKED_WAIT_SECONDS:
            del self._bookings[caller]
            return self.force(seconds)
        if booking is None and self._has_room(now):
            return self.force(seconds)
        REFUSED.labels(self._name).inc()
        if booking and not is_due:
            after = max(1, math.ceil(booking.due - now))
        else:
            after = self._book(now, seconds, caller, first=is_due)
        raise OVERLOADED.error(retry_after=after, queue=self._name)

    def force(self, seconds: float) -> Place:
        """Returns a place without checking for room."""
        place = Place(self, seconds)
        self._places.add(place)
        return place

    def discard(self, place: Place) -> None:
        self._places.discard(place)

    def wait(self) -> float:
        """Returns the estimated seconds until a new hash would start."""
        return self._wait(self.now())

    def _wait(self, now: float) -> float:
        return self._work(now) / self.workers

    def _work(self, now: float) -> float:
        return self._slowness(now) * sum(place.left(now) for place in self._places)

    def _slowness(self, now: float) -> float:
        """Applies the slowness of running work to waiting work."""
        return max((place.slowness(now) for place in self._places), default=1.0)

    def _has_room(self, now: float) -> bool:
        soon = sum(one.seconds for one in self._bookings.values() if one.due <= now + HASH_WAIT_SECONDS)
        return len(self._places) < self._most and (self._work(now) + soon) / self.workers <= HASH_WAIT_SECONDS

    def _book(self, now: float, seconds: float, caller: str, *, first: bool) -> int:
        """Returns the seconds after which to retry; ``first`` callers returned on time and precede new ones."""
        booked = 0.0 if first else sum(one.seconds for one in self._bookings.values())
        ahead = (self._work(now) + self._slowness(now) * booked) / self.workers
        after = max(1, math.ceil(RESERVE * ahead - SLACK))
        if self._books and caller and ahead <= HORIZON:
            self._bookings[caller] = _Booking(now + after, seconds)
        return after
