"""Lists of users that meet conditions, page by page. Texts of a caller are compared, never run (MG-10)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from portico_runtime.mongo import Database, guarded

from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import ACCOUNTS
from portico_users.kernel.entry import Document
from portico_users.kernel.listing import Page
from portico_users.kernel.names import canonical
from portico_users.kernel.records import State

HIDDEN: Final = ("metadata", "keys", "personalTokens", "grants")


class Comparison(Enum):
    """How a text is compared: the patterns before and after it, and whether case counts."""

    EQUALS = ("^", "$", "")
    EQUALS_IGNORE_CASE = ("^", "$", "i")
    STARTS_WITH = ("^", "", "")
    STARTS_WITH_IGNORE_CASE = ("^", "", "i")
    CONTAINS = ("", "", "")
    CONTAINS_IGNORE_CASE = ("", "", "i")
    ENDS_WITH = ("", "$", "")
    ENDS_WITH_IGNORE_CASE = ("", "$", "i")


class TextCondition(NamedTuple):
    """A member compared with a text."""

    member: str
    text: str
    comparison: Comparison

    def as_question(self) -> Document:
        """As a question of the database; the user name by its index, where that has the same answer."""
        if self.member == "userName" and self.comparison is Comparison.EQUALS_IGNORE_CASE:
            return {"nameKey": canonical(self.text)}
        if self.comparison is Comparison.EQUALS:
            return {self.member: self.text}
        before, after, options = self.comparison.value
        return {self.member: {"$regex": f"{before}{re.escape(self.text)}{after}", "$options": options}}


class ValueCondition(NamedTuple):
    """A member that has one of some values."""

    member: str
    values: tuple[str, ...]

    def as_question(self) -> Document:
        """As the database asks it."""
        return {self.member: {"$in": list(self.values)}}


Condition = TextCondition | ValueCondition


class FoundUsers(NamedTuple):
    """A page, and how many there are in all."""

    total: int
    users: list[AnyUser]


@dataclass(frozen=True, slots=True)
class UserSearch:
    """Searches users of either kind."""

    database: Database

    async def search(self, org_ids: Sequence[str] | None, conditions: Sequence[Condition], page: Page) -> FoundUsers:
        """The users that meet all conditions, deleted ones never.

        Args:
            org_ids: only of these organizations; None for any (MG-22: the total counts no others).
        """
        parts: list[Document] = [{"state": {"$ne": State.DELETED.value}}]
        if org_ids is not None:
            parts.append({"orgId": {"$in": list(org_ids)}})
        question: Document = {"$and": parts + [condition.as_question() for condition in conditions]}
        direction = 1 if page.ascending else -1
        rows = self.database[ACCOUNTS.name]
        async with guarded():
            total = await rows.count_documents(question)
            found = rows.find(question, dict.fromkeys(HIDDEN, 0)).sort([(page.sort_by, direction), ("_id", direction)])
            documents = await found.skip(page.offset).limit(page.limit).to_list(page.limit)
        return FoundUsers(total, [ACCOUNTS.record(document) for document in documents])
