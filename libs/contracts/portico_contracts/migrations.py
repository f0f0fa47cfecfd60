"""Long changes of stored records, which the operator carries out in portions beside running services (decision 0078).

Every service with a database answers the same two requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from portico_contracts.subjects import Message, Rpc

MigrationName = Annotated[str, Meta(pattern="^[a-z][a-z-]{0,40}$")]


class ListMigrations(Message, frozen=True):
    """Requests what is left of each migration."""


class MigrationState(Message, frozen=True):
    """One migration.

    Attributes:
        name: what it is named by.
        text: what it does, in a line.
        left: how many records still have their older form.
    """

    name: str
    text: str
    left: int


class MigrationStates(Message, frozen=True):
    """Every migration of a service, in the order they are carried out.

    Attributes:
        refused: why none may be carried out now, as a sentence; empty where they may.
    """

    migrations: tuple[MigrationState, ...] = ()
    refused: str = ""


class CarryPortion(Message, frozen=True):
    """Carries out one portion of a migration: call it with ``after`` until there is none.

    Attributes:
        name: the migration.
        after: where the portion before ended; empty for the first one.
    """

    name: MigrationName
    after: str = ""


class PortionCarried(Message, frozen=True):
    """What was rewritten has its newer form on the disks of a majority.

    Attributes:
        changed: how many records this portion rewrote.
        failed: how many it could not rewrite; they are as they were.
        after: for the next portion; None when there is none.
        refused: as of `MigrationStates`; then nothing was changed.
    """

    changed: int = 0
    failed: int = 0
    after: str | None = None
    refused: str = ""


class MigrationRpcs(NamedTuple):
    """The two requests to one service."""

    list: Rpc[ListMigrations, MigrationStates]
    carry: Rpc[CarryPortion, PortionCarried]


USERS_MIGRATIONS = Rpc("users.v1.migrations.list", ListMigrations, MigrationStates, ("operator",))
USERS_CARRY_PORTION = Rpc("users.v1.migrations.carry", CarryPortion, PortionCarried, ("operator",))
KEYS_MIGRATIONS = Rpc("keys.v1.migrations.list", ListMigrations, MigrationStates, ("operator",))
KEYS_CARRY_PORTION = Rpc("keys.v1.migrations.carry", CarryPortion, PortionCarried, ("operator",))

MIGRATION_RPCS: Final[Mapping[str, MigrationRpcs]] = {
    "users": MigrationRpcs(USERS_MIGRATIONS, USERS_CARRY_PORTION),
    "keys": MigrationRpcs(KEYS_MIGRATIONS, KEYS_CARRY_PORTION),
}
"""By the service whose records they are."""
