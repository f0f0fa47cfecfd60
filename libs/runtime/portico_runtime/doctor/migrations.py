from __future__ import annotations

from portico_contracts.migrations import ListMigrations

from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.migrations import Migrations

_NAME = "migrations"


async def check_migrations(migrations: Migrations) -> Finding:
    """Counts the records that `portico migrate` of this release would rewrite. Raises `unavailable`."""
    listed = await migrations.list(ListMigrations())
    if listed.refused:
        return Finding(_NAME, "warning", "not checked: this release cannot read the records")
    due = [f"{one.name} ({one.left})" for one in listed.migrations if one.left]
    if due:
        return Finding(_NAME, "ok", f"after the upgrade portico migrate rewrites {', '.join(due)}")
    return Finding(_NAME, "ok", "no record needs to be rewritten")
