"""``portico migrate`` as an operator types it, with fakes of users and keys on the real bus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.migrations import (
    MIGRATION_RPCS,
    CarryPortion,
    ListMigrations,
    MigrationState,
    MigrationStates,
    PortionCarried,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers


class FakeOwner(FakeService):
    """A service whose one migration has so many records left, of which two at most go into a portion."""

    def __init__(self, nats: RunningNats, service: str) -> None:
        rpcs = MIGRATION_RPCS[service]
        super().__init__(nats, service, rpcs.list, ListMigrations())
        self.left = 0
        self.lost = 0
        self.refused = ""
        self.refuses_after = ""
        self.bus.respond(rpcs.list, self._list)
        self.bus.respond(rpcs.carry, self._carry)

    @property
    def portions(self) -> list[str]:
        """Where each requested portion began."""
        return [one.after for one in self.asked if isinstance(one, CarryPortion)]

    async def _list(self, request: Any) -> MigrationStates:
        self.asked.append(request)
        if self.refused:
            return MigrationStates(refused=self.refused)
        return MigrationStates(migrations=(MigrationState(name="new-names", text="names", left=self.left),))

    async def _carry(self, request: CarryPortion) -> PortionCarried:
        self.asked.append(request)
        if self.refuses_after and request.after == self.refuses_after:
            return PortionCarried(refused="a newer release stored records")
        changed = min(2, self.left - self.lost)
        self.left -= changed
        return PortionCarried(
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
    """Runs the command as the operator of that bus."""
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("migrate", *arguments), env=login)


def test_all_portions_are_carried(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """Each after the one before, with its progress, of both services; afterwards nothing is left."""
    owners["users"].left, owners["keys"].left = 5, 1
    done = migrate(nats_server)
    again = migrate(nats_server)

    assert (done.exit_code, done.stdout) == (0, "users new-names: 5 records\nkeys new-names: 1 records\n")
    assert done.stderr == "users new-names: 2 of 5 …\nusers new-names: 4 of 5 …\n"
    assert owners["users"].portions == ["", "3", "1"]
    assert (again.exit_code, again.stdout) == (0, "Nothing to migrate.\n")


def test_dry_run_changes_nothing(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """It lists every migration; its status is 3 where something is left, like that of a plan."""
    owners["users"].left = 5
    due = migrate(nats_server, "--dry-run")
    owners["users"].left = 0
    done = migrate(nats_server, "--dry-run")

    assert due.exit_code == 3
    assert [line.split() for line in due.stdout.splitlines()] == [
        ["users", "new-names", "5", "left", "names"],
        ["keys", "new-names", "0", "left", "names"],
    ]
    assert done.exit_code == 0
    assert owners["users"].portions == []


def test_a_service_that_must_not_ends_it(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """Before the first portion nothing is carried; between two, what was carried stays, and the reason is printed."""
    owners["users"].left, owners["users"].refuses_after = 5, "3"
    between = migrate(nats_server)
    owners["keys"].refused = "a backup is being put back"
    before = migrate(nats_server)

    assert (between.exit_code, between.stdout) == (1, "")
    assert "refused by users: a newer release stored records" in between.stderr
    assert owners["users"].left == 3
    assert (before.exit_code, before.stderr) == (1, "refused by keys: a backup is being put back\n")


def test_what_is_left_is_no_success(nats_server: RunningNats, owners: dict[str, FakeOwner]) -> None:
    """Records that could not be rewritten are counted, and the status is 1."""
    owners["users"].left, owners["users"].lost = 3, 1
    done = migrate(nats_server)

    assert (done.exit_code, done.stdout) == (1, "users new-names: 2 records, 1 could not be rewritten\n")
    assert "not migrated: users new-names: 1." in done.stderr
