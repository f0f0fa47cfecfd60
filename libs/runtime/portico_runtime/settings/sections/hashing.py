from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class HashingSection(Section):
    """Password hashing: argon2id hashes in one queue, imported hashes in another with half of the workers."""

    argon2_memory_kib: int = Field(default=19_456, description="Memory of an argon2id hash in KiB.")
    argon2_passes: int = Field(default=2, description="Number of argon2id passes.")
    hashing_workers: int = Field(default=2, description="Number of hashes computed in parallel, at most one per core.")
    hashing_queue: int = Field(
        default=200, description="Maximum number of waiting hashes per queue. More are rejected with 503."
    )
