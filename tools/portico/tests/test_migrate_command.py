from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.migrations import (
    MIGRATION_RPCS,
    BatchMigrated,
    ListMigrations,
    MigrateBatch,
    MigrationState,
    MigrationStates,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers


class FakeOwner(FakeService):
    """A service with one migration that processes at most two records per batch."""

    def __init__(self, nats: RunningNats, service: str) -> None:
        rpcs = MIGRATION_RPCS[service]
        super().__init__(nats, service, rpcs.list, ListMigrations())
        self.name = "new-names"
        self.left = 0
        self.lost = 0
        self.refused = ""
        self.refuses_after = ""
        self.bus.respond(rpcs.list, self._list)
        self.bus.respond(rpcs.carry, self._carry)

    @property
    def portions(self) -> list[str]:
        return [one.after for one in self.asked if isinstance(one, MigrateBatch)]

    async def _list(self, request: Any) -> MigrationStates:
        self.asked.append(request)
        if self.refused:
            return MigrationStates(refused=self.refused)
        return MigrationStates(migrations=(MigrationState(name=self.name, text="names", left=self.left),))

    async def _carry(self, request: MigrateBatch) -> BatchMigrated:
        self.asked.append(request)
        if self.refuses_after and request.after == self.refuses_after:
            return BatchMigrated(refused="a newer release stored records")
        changed = min(2, self.left - self.lost)
        self.left -= changed
        return BatchMigrated(
            changed=changed, failed=0 if changed else self.lost, after=str(self.left) if changed == 2 else None
        )


@pytest.fixture(name="owners")
def _owners(nats_server: RunningNats) -> Iterator[dict[str, FakeOwner]]:
    played = {service: FakeOwner(nats_server, service) for service in MIGRATION_RPCS}
    for one in played.values():
        one.start()
        one.asked.clear()
    yield played
    for one in played.values():
        one.stop()


def migrate(nats: RunningNats, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("migrate", *arguments), env=login)


def test_all_batches_are_migrated(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """Batches of both services run in order with progress until nothing is left."""
    owners["users"].left, owners["keys"].left = 5, 1
    done = migrate(nats_server)
    again = migrate(nats_server)

    assert (done.exit_code, done.stdout) == (0, "users new-names: 5 records\nkeys new-names: 1 records\n")
    assert done.stderr == "users new-names: 2 of 5 …\nusers new-names: 4 of 5 …\n"
    assert owners["users"].portions == ["", "3", "1"]
    assert (again.exit_code, again.stdout) == (0, "Nothing to migrate.\n")


def test_dry_run_changes_nothing(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """A dry run lists every migration, aligned, and has status 3 where records are left, like a plan."""
    owners["users"].left, owners["keys"].name = 5, "a-migration-with-quite-a-long-name"
    due = migrate(nats_server, "--dry-run")
    owners["users"].left = 0
    done = migrate(nats_server, "--dry-run")

    assert due.exit_code == 3
    assert [line.split() for line in due.stdout.splitlines()] == [
        ["users", "new-names", "5", "left", "names"],
        ["keys", "a-migration-with-quite-a-long-name", "0", "left", "names"],
    ]
    assert len({line.index(" left ") for line in due.stdout.splitlines()}) == 1
    assert done.exit_code == 0
    assert owners["users"].portions == []


def test_refusing_service_stops_the_migration(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """A refusal stops the migration with its reason, and completed batches remain."""
    owners["users"].left, owners["users"].refuses_after = 5, "3"
    between = migrate(nats_server)
    owners["keys"].refused = "a backup is being put back"
    before = migrate(nats_server)

    assert (between.exit_code, between.stdout) == (1, "")
    assert "refused by users: a newer release stored records" in between.stderr
    assert owners["users"].left == 3
    assert (before.exit_code, before.stderr) == (1, "refused by keys: a backup is being put back\n")


def test_remaining_records_have_status_1(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """Records that could not be migrated are counted, and the status is 1."""
    owners["users"].left, owners["users"].lost = 3, 1
    done = migrate(nats_server)

    assert (done.exit_code, done.stdout) == (1, "users new-names: 2 records, 1 could not be rewritten\n")
    assert "not migrated: users new-names: 1." in done.stderr
