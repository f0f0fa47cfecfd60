"""Long-running changes of stored records, carried out in batches while services run (decision 0078)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from portico_contracts.subjects import Message, Rpc

MigrationName = Annotated[str, Meta(pattern="^[a-z][a-z-]{0,40}$")]


class ListMigrations(Message, frozen=True):
    """Requests the remaining work of each migration."""


class MigrationState(Message, frozen=True):
    """One migration: `left` is the number of records in the old schema version."""

    name: str
    text: str
    left: int


class MigrationStates(Message, frozen=True):
    """All migrations in execution order; `refused` is the reason why none may run now, or empty."""

    migrations: tuple[MigrationState, ...] = ()
    refused: str = ""


class MigrateBatch(Message, frozen=True):
    """Runs one batch of a migration; repeat with ``after`` of the reply until it is None."""

    name: MigrationName
    after: str = ""


class BatchMigrated(Message, frozen=True):
    """The result of a batch, durable on a majority; records counted in `failed` are unchanged."""

    changed: int = 0
    failed: int = 0
    after: str | None = None
    refused: str = ""


class MigrationRpcs(NamedTuple):
    list: Rpc[ListMigrations, MigrationStates]
    carry: Rpc[MigrateBatch, BatchMigrated]


USERS_MIGRATIONS = Rpc("users.v1.migrations.list", ListMigrations, MigrationStates, ("operator",))
USERS_MIGRATE_BATCH = Rpc("users.v1.migrations.carry", MigrateBatch, BatchMigrated, ("operator",))
KEYS_MIGRATIONS = Rpc("keys.v1.migrations.list", ListMigrations, MigrationStates, ("operator",))
KEYS_MIGRATE_BATCH = Rpc("keys.v1.migrations.carry", MigrateBatch, BatchMigrated, ("operator",))

MIGRATION_RPCS: Final[Mapping[str, MigrationRpcs]] = {
    "users": MigrationRpcs(USERS_MIGRATIONS, USERS_MIGRATE_BATCH),
    "keys": MigrationRpcs(KEYS_MIGRATIONS, KEYS_MIGRATE_BATCH),
}
