"""Admits hashes by their estimated wait: a hash begins only when its answer will be in time (RX-08, decision 0029).

A queue is a number of threads and the queue before them. A hash that would wait too long is refused before it begins, with a
Retry-After. A costly queue also books: the caller that returns at the time it was given is admitted.
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
from prometheus_client import Counter, Histogram

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
"""Seconds of work that are left before a caller when it returns: what the estimate cannot know."""

HORIZON: Final = 60.0
"""Seconds ahead that can be booked: floods of refused callers take no more memory than this much work."""

GRACE: Final = 10.0
"""Seconds a booking is good for after its time."""

EARLY: Final = 0.25
"""Seconds before its time that a booking is honoured: clocks of callers round."""

RESERVE: Final = 1.25
"""How much longer than estimated the work before a booking may take."""

HICCUP: Final = 0.25
"""Seconds by which a hash may be late without saying anything of the next one."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Booking:
    due: float
    seconds: float


class Place:
    """A place in a queue. It is free again when its holder leaves and all its threads have ended, whichever is later."""

    def __init__(self, queue: HashQueue, seconds: float) -> None:
        self._queue = queue
        self._seconds = seconds
        self._began: float | None = None
        self._holders = 1

    def left(self, now: float) -> float:
        """Estimated seconds of work that are left."""
        return self._seconds if self._began is None else max(0.0, self._seconds - (now - self._began))

    def slowness(self, now: float) -> float:
        """How many times longer than estimated it takes, as far as that shows already."""
        return 1.0 if self._began is None else max(1.0, (now - self._began) / (self._seconds + HICCUP))

    def leave(self) -> None:
        """The holder, or one of the threads, has ended."""
        self._holders -= 1
        if self._holders == 0:
            self._queue.discard(self)

    async def run(self, work: Callable[[], Result], *, took: Callable[[float], None] = lambda _seconds: None) -> Result:
        """Runs the work in a thread of the queue; a caller that stops waiting does not free the place.

        Args:
            took: is called in the thread with the seconds that the work took.
        """

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
    """The threads for one sort of hashes, and the places before them."""

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
        """Makes a queue.

        Args:
            executor: with as many threads as ``workers``; any part that runs what is submitted.
            waiting: how many may wait at the same time, however short they are.
            now: seconds of a clock that only goes forward.
            books: a refused caller gets a time of its own, at which it is admitted.
        """
        self.executor = executor
        self.now = now
        self.workers = workers
        self._name = name
        self._most = workers + waiting
        self._books = books
        self._places: set[Place] = set()
        self._bookings: dict[str, _Booking] = {}

    def admit(self, seconds: float, caller: str = "") -> Place:
        """A place for work of so many seconds; USER-034 with the seconds after which to return.

        Args:
            caller: who returns for a booking; the same text for the same account.
        """
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
        """A place without the question whether there is room."""
        place = Place(self, seconds)
        self._places.add(place)
        return place

    def discard(self, place: Place) -> None:
        """Frees a place."""
        self._places.discard(place)

    def wait(self) -> float:
        """Estimated seconds until a hash that came now would begin."""
        return self._wait(self.now())

    def _wait(self, now: float) -> float:
        return self._work(now) / self.workers

    def _work(self, now: float) -> float:
        return self._slowness(now) * sum(place.left(now) for place in self._places)

    def _slowness(self, now: float) -> float:
        """Where what runs takes longer than estimated, so will what waits."""
        return max((place.slowness(now) for place in self._places), default=1.0)

    def _has_room(self, now: float) -> bool:
        soon = sum(one.seconds for one in self._bookings.values() if one.due <= now + HASH_WAIT_SECONDS)
        return len(self._places) < self._most and (self._work(now) + soon) / self.workers <= HASH_WAIT_SECONDS

    def _book(self, now: float, seconds: float, caller: str, *, first: bool) -> int:
        """The seconds after which to return.

        Args:
            first: the caller returned on time after a refusal: it goes before callers that never waited.
        """
        booked = 0.0 if first else sum(one.seconds for one in self._bookings.values())
        ahead = (self._work(now) + self._slowness(now) * booked) / self.workers
        after = max(1, math.ceil(RESERVE * ahead - SLACK))
        if self._books and caller and ahead <= HORIZON:
            self._bookings[caller] = _Booking(now + after, seconds)
        return after
