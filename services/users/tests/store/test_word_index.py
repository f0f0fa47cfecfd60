"""The words of records, and the migration that writes those of records of an older release."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from portico_contracts.migrations import USERS_MIGRATE_BATCH, USERS_MIGRATIONS, ListMigrations, MigrateBatch
from portico_oauth.errors import ServiceError
from portico_users.accounts.store import MongoAccounts
from portico_users.accounts.word_index import UserWords, WordIndex
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.store import HUMANS
from portico_users.values.records import State

pytestmark = pytest.mark.servers

COLLECTIONS = ("users", "apps", "projects", "groups", "orgs")


async def ada_of(world: Any) -> EndUser:
    found = await MongoAccounts(world.parts.mongo.database).find(f"ada-{world.tag}")
    assert isinstance(found, EndUser)
    return found


@pytest.fixture
async def org(users_world: Any) -> AsyncIterator[str]:
    database = users_world.parts.mongo.database
    for collection in COLLECTIONS:
        await database[collection].delete_many({"wordsForm": None})
    project = {"name": "Shop", "oidcApps": [users_world.app()]}
    people = [users_world.human(id=f"ada-{users_world.tag}", email={"email": users_world.mail()})]
    robots = [{"id": f"bot-{users_world.tag}", "username": f"bot-{users_world.tag}", "name": "Build bot"}]
    await users_world.home(humans=people, serviceUsers=robots, projects=[project], groups=[{"name": "Staff"}])
    yield (await ada_of(users_world)).org_id
    # Tests share the database.
    await users_world.service.find(WordIndex).build()


async def words(world: Any, org_id: str) -> dict[str, list[list[str]]]:
    database = world.parts.mongo.database
    return {
        one: [row.get("words") async for row in database[one].find({"orgId": org_id}).sort("_id", 1)]
        for one in COLLECTIONS
    }


async def forget(world: Any, org_id: str, *fields: str) -> None:
    """Leaves the records as an older release stored them."""
    for one in COLLECTIONS:
        unset = dict.fromkeys(fields or ("words", "wordsForm"), "")
        await world.parts.mongo.database[one].update_many({"orgId": org_id}, {"$unset": unset})


async def test_older_records_get_the_words_of_new_ones(users_world: Any, org: str) -> None:
    """A record stored by an older release gets the same words as if it was stored now."""
    stored = await words(users_world, org)
    await forget(users_world, org)
    await users_world.service.find(WordIndex).build()

    assert all(all(one) for one in stored.values())
    assert await words(users_world, org) == stored


async def test_search_is_refused_while_words_are_missing(users_world: Any, org: str) -> None:
    """An incomplete index gives an error instead of a result without the people it does not know."""
    await forget(users_world, org)
    index = users_world.service.find(WordIndex)
    index._is_complete = False
    with pytest.raises(ServiceError, match="USER-015"):
        await index.require()
    await index.build()

    assert await index.require() is None


async def test_words_of_the_former_release_are_searched_until_they_are_written(users_world: Any, org: str) -> None:
    """Records whose beginnings of words are found do not stop searches; the migration finds and completes them."""
    stored = await words(users_world, org)
    await forget(users_world, org, "wordsForm")
    rows = users_world.parts.mongo.database["users"]
    await rows.update_many({"orgId": org}, {"$set": {"words": ["ada"]}})
    index = users_world.service.find(WordIndex)
    index._is_complete = False

    assert await index.require() is None
    await index.build()
    assert await words(users_world, org) == stored


async def test_migration_is_listed_and_run_by_the_command(users_world: Any, org: str) -> None:
    """`portico migrate` shows the remaining records of each kind and writes them in batches."""
    await forget(users_world, org)
    listed = await users_world.call(USERS_MIGRATIONS, ListMigrations())
    left = {one.name: one.left for one in listed.migrations if one.name.endswith("-words")}
    done = {name: await users_world.call(USERS_MIGRATE_BATCH, MigrateBatch(name=name, after="")) for name in left}

    assert left == {"user-words": 2, "app-words": 1, "project-words": 1, "group-words": 1, "org-words": 1}
    assert {name: one.changed for name, one in done.items()} == left


async def test_change_between_reading_and_writing_wins(users_world: Any, org: str) -> None:
    """The migration never writes words of a record that changed since it was read."""
    await forget(users_world, org)
    rows = users_world.parts.mongo.database["users"]
    row = await rows.find_one({"_id": f"ada-{users_world.tag}"})
    write = users_world.service.find(UserWords).change({**row, "sequence": row["sequence"] - 1})
    result = await rows.bulk_write([write])

    assert result.modified_count == 0


async def test_deleted_user_has_no_words(users_world: Any, org: str) -> None:
    """A deleted user is found no more, and is not rewritten by the migration again and again."""
    deleted = msgspec.structs.replace(await ada_of(users_world), state=State.DELETED)

    assert HUMANS.document(deleted)["words"] == []
