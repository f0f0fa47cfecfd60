from __future__ import annotations

from portico_contracts.users import (
    FIND_ASSERTED,
    FIND_ASSERTION_TRUSTS,
    Asserted,
    AssertionTrust,
    AssertionTrusts,
    FindAsserted,
    FindAssertionTrusts,
)
from portico_runtime.bus.bus import Bus


class AcceptedTrusts:
    """Answers for users about identity assertions (decision 0157)."""

    def __init__(self, bus: Bus) -> None:
        self.trusts: dict[tuple[str, str], tuple[AssertionTrust, ...]] = {}
        """By client id and issuer."""
        self.links: dict[tuple[str, str], str] = {}
        """Users by provider and subject."""
        bus.respond(FIND_ASSERTION_TRUSTS, self._find_trusts)
        bus.respond(FIND_ASSERTED, self._find_asserted)

    async def _find_trusts(self, ask: FindAssertionTrusts) -> AssertionTrusts:
        return AssertionTrusts(trusts=self.trusts.get((ask.client_id, ask.issuer), ()))

    async def _find_asserted(self, ask: FindAsserted) -> Asserted:
        trusts = self.trusts.get((ask.client_id, ask.issuer), ())
        trust = next((one for one in trusts if one.provider_id == ask.provider_id), None)
        user_id = self.links.get((ask.provider_id, ask.subject), "")
        return Asserted(user_id=user_id, access=trust.access) if trust and user_id else Asserted()
