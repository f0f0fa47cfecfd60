from __future__ import annotations

from typing import Generic, TypeVar

from portico_oauth.errors import UNAVAILABLE
from portico_runtime.process.clock import Clock

Value = TypeVar("Value")


class ExpiringRecords(Generic[Value]):
    """Values that expire, like Redis keys with a TTL."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._values: dict[str, tuple[float, Value]] = {}
        self.down = False
        """When true, everything is `unavailable`."""

    def put(self, key: str, value: Value, seconds: float) -> None:
        self._refuse_when_down()
        self._values[key] = (self._clock.now() + seconds, value)

    def change(self, key: str, value: Value) -> None:
        """Changes a value and keeps its expiry."""
        self._values[key] = (self._values[key][0], value)

    def extend(self, key: str, seconds: float) -> None:
        """Moves the expiry to at least so many seconds from now."""
        found = self.get(key)
        if found is not None:
            self._values[key] = (max(self._values[key][0], self._clock.now() + seconds), found)

    def shorten(self, key: str, seconds: float) -> None:
        """Moves the expiry to at most so many seconds from now."""
        found = self.get(key)
        if found is not None:
            self._values[key] = (min(self._values[key][0], self._clock.now() + seconds), found)

    def get(self, key: str) -> Value | None:
        self._refuse_when_down()
        until, value = self._values.get(key, (0.0, None))
        return value if self._clock.now() < until else None

    def values(self) -> list[Value]:
        found = [self.get(key) for key in self._values]
        return [value for value in found if value is not None]

    def drop(self, key: str) -> bool:
        """Returns True if the value existed."""
        found = self.get(key)
        self._values.pop(key, None)
        return found is not None

    def __len__(self) -> int:
        self._refuse_when_down()
        now = self._clock.now()
        return sum(now < until for until, _ in self._values.values())

    def _refuse_when_down(self) -> None:
        if self.down:
            raise UNAVAILABLE.error(retry_after=1, part="memory")
