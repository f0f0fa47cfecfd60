from __future__ import annotations

from dataclasses import dataclass, field, replace

from portico_authz.domain.device import (
    INTERVAL,
    JITTER,
    SLOWER,
    DeviceRequest,
    Poll,
    PollOutcome,
    secret_of,
    user_code_in,
)
from portico_authz.store.redis_devices import REMEMBERED
from portico_contracts.authz import CodeGrant
from portico_oauth.clock_leeway import is_issued_ahead
from portico_runtime.process.clock import Clock

from portico_fakes.expiring_records import ExpiringRecords


@dataclass(frozen=True, slots=True)
class _Waiting:
    device: DeviceRequest
    state: PollOutcome | None = None
    answered_by: str = ""
    grant: CodeGrant | None = field(default=None, repr=False)
    interval: int = INTERVAL
    polled: float | None = None

    def is_in_time(self, now: float) -> bool:
        return now < self.device.expires_at and not is_issued_ahead(self.device.asked_at, now)


class MemoryDevices:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[_Waiting] = ExpiringRecords(clock)

    async def create(self, device: DeviceRequest, seconds: int, client_address: str = "") -> bool:
        if self.records.get(device.user_code) is not None:
            return False
        self.records.put(device.user_code, _Waiting(device), seconds + REMEMBERED)
        return True

    async def find_waiting(self, user_code: str, now: float) -> DeviceRequest | None:
        found = self.records.get(user_code)
        return found.device if found and found.state is None and found.is_in_time(now) else None

    async def answer(self, device: DeviceRequest, request_id: str, grant: CodeGrant | None, now: float) -> bool:
        found = self.records.get(device.user_code)
        if found is None or found.device.secret != device.secret:
            return False
        state = PollOutcome.APPROVED if grant else PollOutcome.DENIED
        if found.state:
            answer = PollOutcome.APPROVED if found.state is PollOutcome.SPENT else found.state
            return (answer, found.answered_by) == (state, request_id)
        if not found.is_in_time(now):
            return False
        changed = replace(found, state=state, grant=grant, answered_by=request_id)
        self.records.change(device.user_code, changed)
        return True

    async def poll(self, device_code: str, client_id: str, now: float) -> Poll:
        return self._ask(device_code, client_id, now, claiming=False)

    async def claim(self, device_code: str, client_id: str, now: float) -> Poll:
        return self._ask(device_code, client_id, now, claiming=True)

    def _ask(self, device_code: str, client_id: str, now: float, *, claiming: bool) -> Poll:
        found = self.records.get(user_code_in(device_code))
        if found is None or (found.device.client_id, found.device.secret) != (client_id, secret_of(device_code)):
            return Poll(PollOutcome.UNKNOWN)
        if found.state is PollOutcome.SPENT:
            return Poll(PollOutcome.SPENT)
        if not found.is_in_time(now):
            return Poll(PollOutcome.EXPIRED)
        if found.state is PollOutcome.APPROVED and claiming:
            self.records.change(found.device.user_code, replace(found, state=PollOutcome.SPENT, grant=None))
            return Poll(PollOutcome.CLAIMED, found.grant)
        if found.state:
            return Poll(found.state, found.grant)
        return self._count(found, now)

    def _count(self, found: _Waiting, now: float) -> Poll:
        too_fast = found.polled is not None and now < found.polled + found.interval - JITTER
        interval = found.interval + (SLOWER if too_fast else 0)
        self.records.change(found.device.user_code, replace(found, polled=now, interval=interval))
        return Poll(PollOutcome.TOO_FAST if too_fast else PollOutcome.PENDING)


class MemoryTries:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[int] = ExpiringRecords(clock)

    async def count(self, whose: str, seconds: int) -> int:
        tries = self.records.get(whose)
        if tries is None:
            self.records.put(whose, 1, seconds)
            return 1
        self.records.change(whose, tries + 1)
        return tries + 1

    async def give_back(self, whose: str) -> None:
        tries = self.records.get(whose)
        if tries:
            self.records.change(whose, tries - 1)
