"""The key sets of identity providers (RFC 7517 §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portico_users.federation.fetched_documents import FetchedDocuments
from portico_users.federation.verification_keys import ProviderKey, candidates_of, read_key_set


@dataclass(frozen=True, slots=True)
class KeySets:
    """The keys of each address."""

    documents: FetchedDocuments

    async def find(self, idp_id: str, url: str, header: dict[str, Any]) -> tuple[ProviderKey, ...]:
        """The keys at an address, fetched where none that is fresh fits the header of a JWT.

        Raises:
            ServiceError: as `FetchedDocuments.find`.
        """
        return await self.documents.find(idp_id, url, read_key_set, lambda keys: bool(candidates_of(header, keys)))
