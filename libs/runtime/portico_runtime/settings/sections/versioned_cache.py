from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class VersionedCacheSection(Section):
    """The cache of users (decision 0039)."""

    people_in_memory: int = Field(
        default=20_000, ge=100, description="Maximum number of users in the cache, at most 1.6 KiB each."
    )
