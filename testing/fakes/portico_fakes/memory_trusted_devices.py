from __future__ import annotations

from collections.abc import Sequence

from portico_authz.domain.trusted_device import MOST_DEVICES, ReplacedHandle, TrustedDevice
from portico_runtime.process.clock import Clock

from portico_fakes.expiring_records import ExpiringRecords


class MemoryTrustedDevices:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[dict[str, TrustedDevice]] = ExpiringRecords(clock)
        self.handles: ExpiringRecords[ReplacedHandle] = ExpiringRecords(clock)

    async def save(self, user_id: str, device: TrustedDevice, seconds: int) -> None:
        others = [one for one in await self.list(user_id) if one.id != device.id]
        kept = sorted(others, key=lambda one: one.since)[-(MOST_DEVICES - 1) :]
        stored = {one.id: one for one in (*kept, device)}
        if self.records.get(user_id) is None:
            self.records.put(user_id, stored, seconds)
        self.records.extend(user_id, seconds)
        self.records.change(user_id, stored)

    async def find(self, user_id: str, device_id: str) -> TrustedDevice | None:
        return (self.records.get(user_id) or {}).get(device_id)

    async def list(self, user_id: str) -> tuple[TrustedDevice, ...]:
        return tuple((self.records.get(user_id) or {}).values())

    async def end(self, user_id: str, device_ids: Sequence[str] = ()) -> int:
        stored = self.records.get(user_id)
        if stored is None:
            return 0
        left = {id: one for id, one in stored.items() if device_ids and id not in device_ids}
        self.records.change(user_id, left)
        return len(stored) - len(left)

    async def remember_handle(self, handle: str, replaced: ReplacedHandle, seconds: int) -> None:
        self.handles.put(handle, replaced, seconds)

    async def find_handle(self, handle: str) -> ReplacedHandle | None:
        return self.handles.get(handle)
