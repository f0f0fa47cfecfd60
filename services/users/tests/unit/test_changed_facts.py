"""Which versions a transaction sets that is run several times, or given up (decision 0039)."""

from __future__ import annotations

import msgspec
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import ServiceError
from portico_runtime.facts import keys
from portico_users.directory.service_users.service_user import SERVICE_USERS, ServiceUser
from portico_users.kernel.changed_facts import ChangedFacts
from portico_users.kernel.entry import Entry

ANN, BOB = (ServiceUser(id=id, org_id="acme", user_name=id, name=id, version=f"{id} 1") for id in ("ann", "bob"))


@pytest.fixture(name="versions")
async def _versions(clock: FrozenClock) -> MemoryVersions:
    versions = MemoryVersions(clock)
    for one in (ANN, BOB):
        versions.stored[keys.person(one.id)] = one.version
    return versions


def change(facts: ChangedFacts, before: ServiceUser, version: str) -> None:
    """Changes a user in the transaction."""
    after = msgspec.structs.replace(before, version=version)
    facts.add(Entry(SERVICE_USERS, before, after), after)


async def texts(versions: MemoryVersions) -> list[str]:
    """What is there of both."""
    return [await versions.read(one.id) for one in (ANN, BOB)]


async def test_the_last_run_of_a_transaction_counts(versions: MemoryVersions) -> None:
    """What only an earlier run changed was marked, so that it gets no version; the other one gets its last."""
    facts = ChangedFacts(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    change(facts, BOB, "bob 2")
    await facts.mark()
    facts.begin_again()
    change(facts, ANN, "ann 3")
    await facts.mark()
    await facts.set()

    assert await texts(versions) == ["ann 3", "?c1"]


async def test_what_was_never_marked_is_left_as_it_is(versions: MemoryVersions) -> None:
    """A transaction that fails before its marks costs no question: the versions are right."""
    facts = ChangedFacts(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.withdraw()

    assert await texts(versions) == [ANN.version, BOB.version]


async def test_a_run_that_fails_after_another_one_withdraws_its_marks(versions: MemoryVersions) -> None:
    """Nothing was committed: marks of the run before are taken away, and what was added since is left as it is."""
    facts = ChangedFacts(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.mark()
    facts.begin_again()
    change(facts, BOB, "bob 2")
    await facts.withdraw()

    assert await texts(versions) == ["?c1", BOB.version]


async def test_marks_stay_where_the_commit_may_have_been(versions: MemoryVersions) -> None:
    """After the marks the commit may have happened, so that they count until they are old."""
    facts = ChangedFacts(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.mark()
    marked = await versions.read("ann")
    await facts.withdraw()

    assert marked.startswith("~c1@")
    assert await texts(versions) == [marked, BOB.version]


async def test_a_version_that_cannot_be_set_is_no_failure(versions: MemoryVersions) -> None:
    """The change is committed; the mark stays, and users is asked."""
    facts = ChangedFacts(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    await facts.mark()
    versions.broken = True
    await facts.set()
    versions.broken = False

    assert (await versions.read("ann")).startswith("~c1@")


async def test_a_mark_that_cannot_be_written_is_a_failure(versions: MemoryVersions) -> None:
    """The journal is notified before it commits, and does not commit."""
    facts = ChangedFacts(versions, "c1")
    facts.begin_again()
    change(facts, ANN, "ann 2")
    versions.broken = True
    with pytest.raises(ServiceError):
        await facts.mark()
    await facts.withdraw()
    versions.broken = False

    assert await texts(versions) == [ANN.version, BOB.version]
