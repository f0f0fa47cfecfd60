from __future__ import annotations

from collections.abc import Mapping

from portico_contracts.users import GET_CLIENT_BY_URL, Client, ClientFound, GetClient
from portico_runtime.bus.bus import Bus


class AcceptedDocuments:
    """Answers for users about client ids that are URLs."""

    def __init__(self, bus: Bus, registered: Mapping[str, Client]) -> None:
        self._registered = registered
        self.clients: dict[str, dict[str, Client | None]] = {}
        """By URL and organization that accepts the document; None where the organization has turned the client off."""
        self.resource_owners: dict[str, str] = {}
        self.due: set[str] = set()
        """URLs of documents that have to be fetched for a client address."""
        self.fetched_for: list[str] = []
        bus.respond(GET_CLIENT_BY_URL, self._find)

    async def _find(self, ask: GetClient) -> ClientFound:
        if ask.client_id in self.due:
            if ask.client_address is None:
                return ClientFound(is_due=True)
            self.due.discard(ask.client_id)
            self.fetched_for.append(ask.client_address)
        accepted = self.clients.get(ask.client_id)
        if accepted is None:
            return ClientFound(client=self._registered.get(ask.client_id))
        if ask.of_any:
            return ClientFound(client=next(filter(None, accepted.values()), None))
        if ask.org_id:
            return ClientFound(client=accepted.get(ask.org_id))
        named = (*(self.resource_owners.get(one, "") for one in ask.resources), ask.named_org_id)
        found = [accepted[org_id] for org_id in named if org_id in accepted] or [*accepted.values()][
            : 2 - len(accepted)
        ]
        return ClientFound(client=found[0] if found else None, several=not found)
