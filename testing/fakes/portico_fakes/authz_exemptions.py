from __future__ import annotations

from portico_contracts.users import CHECK_EXEMPTION, CheckExemption, ExemptionChecked

from portico_fakes.memory_bus import MemoryBus


class FakeExemptions:
    """Owners whom the rules by network and country exempt.

    Attributes:
        owners: their ids.
        asked: the requests of authz.
    """

    def __init__(self, bus: MemoryBus) -> None:
        self.owners: set[str] = set()
        self.asked: list[CheckExemption] = []
        bus.respond(CHECK_EXEMPTION, self._check)

    async def _check(self, ask: CheckExemption) -> ExemptionChecked:
        self.asked.append(ask)
        return ExemptionChecked(exempt=ask.user_id in self.owners)
