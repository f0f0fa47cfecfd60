"""Versions set by a transaction that is retried or aborted (decision 0039)."""

from __future__ import annotations

import msgspec
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache import keys
from portico_users.journal.changed_versions import ChangedVersions
from portico_users.service_users.service_user import SERVICE_USERS, ServiceUser
from portico_users.storage.entry import Entry

ANN, BOB = (ServiceUser(id=id, org_id="acme", user_name=id, name=id, version=f"{id} 1") for id in ("ann", "bob"))


@pytest.fixture(name="versions")
async def _versions(clock: FrozenClock) -> MemoryVersions:
    versions = MemoryVersions(clock)
    for one in (ANN, BOB):
        versions.stored[keys.user(one.id)] = one.version
    return versions


def change(facts: ChangedVersions, before: ServiceUser, version: str) -> None:
    after = msgspec.structs.replace(before, version=version)
    facts.add(Entry(SERVICE_USERS, before, after), after)


async def texts(versions: MemoryVersions) -> list[str]:
    return [await versions.read(one.id) for one in (ANN, BOB)]


async def test_last_run_of_a_transaction_counts(versions: MemoryVersions) -> None:
    """A version changed only by an earlier run was marked but is not set; the other gets its last value."""
    facts = ChangedVersions(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    change(facts, BOB, "bob 2")
    await facts.mark()
    facts.begin_again()
    change(facts, ANN, "ann 3")
    await facts.mark()
    await facts.set()

    assert await texts(versions) == ["ann 3", "?c1"]


async def test_unmarked_versions_are_unchanged(versions: MemoryVersions) -> None:
    """A transaction that fails before marking makes no requests: the versions are right."""
    facts = ChangedVersions(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.withdraw()

    assert await texts(versions) == [ANN.version, BOB.version]


async def test_failed_retry_removes_its_marks(versions: MemoryVersions) -> None:
    """Nothing was committed: markers of the earlier run are removed, and later changes are unchanged."""
    facts = ChangedVersions(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.mark()
    facts.begin_again()
    change(facts, BOB, "bob 2")
    await facts.withdraw()

    assert await texts(versions) == ["?c1", BOB.version]


async def test_marks_remain_after_a_possible_commit(versions: MemoryVersions) -> None:
    """After marking, the commit may have happened, so the markers count until they expire."""
    facts = ChangedVersions(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.mark()
    marked = await versions.read("ann")
    await facts.withdraw()

    assert marked.startswith("~c1@")
    assert await texts(versions) == [marked, BOB.version]


async def test_failed_version_write_is_not_an_error(versions: MemoryVersions) -> None:
    """The change is committed; the marker remains, and users is queried."""
    facts = ChangedVersions(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.mark()
    versions.broken = True
    await facts.set()
    versions.broken = False

    assert (await versions.read("ann")).startswith("~c1@")


async def test_failed_mark_is_an_error(versions: MemoryVersions) -> None:
    """The journal is notified before it commits, and does not commit."""
    facts = ChangedVersions(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    versions.broken = True
    with pytest.raises(ServiceError):
        await facts.mark()
    await facts.withdraw()
    versions.broken = False

    assert await texts(versions) == [ANN.version, BOB.version]
