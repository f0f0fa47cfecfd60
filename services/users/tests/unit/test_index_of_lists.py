"""Lists of all users name the index that they are read by: the database would try each of theirs over many users."""

from __future__ import annotations

from typing import Any, cast
from unittest.mock import MagicMock

import pytest
from portico_users.accounts.search import Comparison, Condition, TextCondition, UserSearch, ValueCondition
from portico_users.storage.listing import Page

PEOPLE = ValueCondition("type", ("human",))
SHOP = ValueCondition("orgId", ("shop",))
WHOLE: list[tuple[tuple[str, ...] | None, tuple[Condition, ...], str]] = [
    (None, (), ""),
    (None, (PEOPLE,), ""),
    (None, (SHOP, PEOPLE), "orgId"),
    (("shop",), (PEOPLE,), "orgId"),
]
"""Organizations, conditions, and the beginning of the index."""


class NoRules:
    """No organization states first factors."""

    async def find_rules(self) -> None:
        return None


async def index_of(org_ids: tuple[str, ...] | None, conditions: tuple[Condition, ...]) -> Any:
    search = UserSearch(MagicMock(), MagicMock(), MagicMock(), cast("Any", NoRules()))
    asked: list[Any] = []

    async def read(question: Any, _page: Page, index: Any) -> tuple[int, list[Any]]:
        asked.extend((question, index))
        return 0, []

    search._pages.read = read  # type: ignore[assignment]
    await search.search(org_ids, conditions, Page(10_000, 20, "created", ascending=True))
    return asked[1]


@pytest.mark.parametrize(("org_ids", "conditions", "owner"), WHOLE)
async def test_list_of_all_users_names_its_index(
    org_ids: tuple[str, ...] | None, conditions: tuple[Condition, ...], owner: str
) -> None:
    members = [name for name, _ in await index_of(org_ids, conditions)]

    assert members == [*([owner] if owner else []), "created", "_id", "state"]


async def test_other_conditions_leave_the_index_to_the_database() -> None:
    assert await index_of(("shop",), (TextCondition("email", "a@b.example", Comparison.EQUALS),)) is None
