"""The key sets of identity providers (RFC 7517 §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from portico_users.federation.fetched_documents import FetchedDocuments
from portico_users.federation.verification_keys import ProviderKey, candidates_of, read_key_set

MAX_KEY_SET: Final = 256 * 1024
"""Bytes of a key set: keys may come with their chains of certificates."""


@dataclass(frozen=True, slots=True)
class KeySets:
    """The keys of each address."""

    documents: FetchedDocuments

    async def find(self, idp_id: str, url: str, header: dict[str, Any]) -> tuple[ProviderKey, ...]:
        """The keys at an address, fetched where none that is fresh fits the header of a JWT.

        Raises:
            ServiceError: as `FetchedDocuments.find`.
        """
        return await self.documents.find(
            idp_id, url, read_key_set, lambda keys: bool(candidates_of(header, keys)), limit=MAX_KEY_SET
        )
