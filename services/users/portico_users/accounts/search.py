"""Searches users by filters, with pagination. Text of callers is only compared, never evaluated (MG-10)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import chain
from typing import Final, NamedTuple

from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS
from portico_users.accounts.word_index import WordIndex
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.marks import LAST_SIGN_IN, MARKS, NEVER, Mark, mark_order, marks_of
from portico_users.end_users.store import GROUP_ORDER, HUMANS, LISTED_BY, USER_WORD_ORDER
from portico_users.groups.group import MongoGroups
from portico_users.policies.ways_in import ACCESS, RulesOfWays, WaysIn
from portico_users.storage.entry import Document
from portico_users.storage.listing import Hint, Page, PagedRows
from portico_users.storage.name_order import named_fields
from portico_users.storage.schema import listing_order
from portico_users.values.names import canonical
from portico_users.values.records import State
from portico_users.values.word_keys import ANY_ORG, ANY_TYPE, WORDS, find_rarest
from portico_users.values.words import typed_words

BULKY: Final = ("metadata", WORDS, "keys", "personalTokens", "grants", "consents")
"""Fields that searches leave out: the users they find have the defaults of these fields."""

NOT_LISTED: Final = (
    *BULKY,
    *(
        "version",
        "nameKey",
        "hasPassword",
        "hasTotp",
        "hasOtpEmail",
        "hasOtpSms",
        "recoveryCodes",
        "securityKeys",
        "resets",
    ),
    *("idpLinks", "linkKeys", "verifiedMailKey", "emailProof", "provenEmail", "recoveryFrom", "provenRecoveryFrom"),
)
"""Further fields that no list of users shows."""

_SORTED: Final = 10_000
"""Matches of words that are read and sorted; with more, users are read in order until a page is full."""

OF_GROUP: Final = "groups.id"

_NOT_DELETED: Final[Document] = {"state": {"$ne": State.DELETED.value}}


def among(values: Sequence[str]) -> str | Document:
    """Matches one of the values; a single value keeps the sort order of its index."""
    return values[0] if len(values) == 1 else {"$in": list(values)}


class Comparison(Enum):
    EQUALS = ("^", "$", "")
    EQUALS_IGNORE_CASE = ("^", "$", "i")
    STARTS_WITH = ("^", "", "")
    STARTS_WITH_IGNORE_CASE = ("^", "", "i")
    CONTAINS = ("", "", "")
    CONTAINS_IGNORE_CASE = ("", "", "i")
    ENDS_WITH = ("", "$", "")
    ENDS_WITH_IGNORE_CASE = ("", "$", "i")


_INDEXED: Final = (Comparison.EQUALS, Comparison.STARTS_WITH)
_INDEXED_NAME: Final = (*_INDEXED, Comparison.EQUALS_IGNORE_CASE, Comparison.STARTS_WITH_IGNORE_CASE)
"""User names are also indexed without case."""


class TextCondition(NamedTuple):
    member: str
    text: str
    comparison: Comparison

    @property
    def is_scanned(self) -> bool:
        """Reports whether the text of every user is compared with the keys of an index; not every text has one."""
        indexed = _INDEXED_NAME if self.member == "userName" else _INDEXED
        return self.member in LISTED_BY and self.comparison not in indexed

    def as_question(self) -> Document:
        """Returns the database filter; for user names with the index if the result is the same."""
        if self.member == "userName" and self.comparison is Comparison.EQUALS_IGNORE_CASE:
            return {"nameKey": canonical(self.text)}
        if self.member == "userName" and self.comparison is Comparison.STARTS_WITH_IGNORE_CASE:
            return {"nameKey": {"$regex": f"^{re.escape(canonical(self.text))}"}}
        if self.comparison is Comparison.EQUALS:
            return {self.member: self.text}
        before, after, options = self.comparison.value
        return {self.member: {"$regex": f"{before}{re.escape(self.text)}{after}", "$options": options}}


class ValueCondition(NamedTuple):
    member: str
    values: tuple[str, ...]

    def as_question(self) -> Document:
        return {self.member: among(self.values)}


class RoleCondition(NamedTuple):
    """The user has the role, granted or through a group; the search finds the groups."""

    project_id: str
    role_key: str
    group_ids: tuple[str, ...] = ()

    def as_question(self) -> Document:
        granted = {"projectId": self.project_id, "roleKeys": self.role_key, "active": {"$ne": False}}
        return {"$or": [{"grants": {"$elemMatch": granted}}, {OF_GROUP: {"$in": list(self.group_ids)}}]}


class MarkCondition(NamedTuple):
    mark: Mark

    def as_question(self) -> Document:
        return {MARKS: self.mark.value}


class AccessCondition(NamedTuple):
    """The user can sign in, or cannot, under the rules for first factors."""

    mark: Mark
    rules: RulesOfWays
    org_ids: tuple[str, ...] = ()

    def as_question(self) -> Document:
        return self.rules.question(self.mark, self.org_ids)


class NeverSignedIn(NamedTuple):
    """People without a sign-in that was stored."""

    def as_question(self) -> Document:
        return {LAST_SIGN_IN: NEVER}


class WordsCondition(NamedTuple):
    """Each typed word finds a word of the user, in any order, without case and accents."""

    text: str


class CombinedCondition(NamedTuple):
    """`operator` is ``$and``, ``$or`` or ``$nor`` of the database. None of its conditions is by words."""

    operator: str
    conditions: tuple[PlainCondition, ...]

    def as_question(self) -> Document:
        return {self.operator: [one.as_question() for one in self.conditions]}


PlainCondition = (
    TextCondition | ValueCondition | RoleCondition | MarkCondition | AccessCondition | NeverSignedIn | CombinedCondition
)
Condition = PlainCondition | WordsCondition


class FoundUsers(NamedTuple):
    """`no_way_in` are the ids of those who can neither sign in nor accept an invitation, once they are active."""

    total: int
    users: list[AnyUser]
    no_way_in: frozenset[str]


class UserSearch:
    def __init__(self, database: Database, word_index: WordIndex, groups: MongoGroups, ways_in: WaysIn) -> None:
        self._rows = database[ACCOUNTS.name]
        self._ways_in = ways_in
        self._groups = groups
        self._pages = PagedRows(self._rows, hidden=NOT_LISTED, named=named_fields(HUMANS.indexes))
        self._word_index = word_index

    async def search(self, org_ids: Sequence[str] | None, conditions: Sequence[Condition], page: Page) -> FoundUsers:
        owner = "" if org_ids is None and not any(map(_is_of_one_org, conditions)) else "orgId"
        orgs: Document = ANY_ORG if org_ids is None else {"orgId": among(org_ids)}
        if any(_is_of_marks(one) for one in conditions) or page.sort_by == LAST_SIGN_IN:
            await self._word_index.require()
        rules = await self._ways_in.find_rules()
        of = tuple(org_ids or _named_org(conditions))
        conditions = [_by_rules(one, rules, of) for one in _without_implied(conditions)]
        plain = [await self._with_groups(one) for one in conditions if not isinstance(one, WordsCondition)]
        parts = [one.as_question() for one in plain]
        typed = [one.text for one in conditions if isinstance(one, WordsCondition)]
        async with guarded():
            if typed:
                total, documents = await self._search_words(
                    orgs, parts, typed, page, listing_order(page.sort_by, owner)
                )
                return await self._found(total, documents, rules)
            parts += [_NOT_DELETED, *([orgs] if org_ids is not None else [])]
            if narrow := _index_of(conditions, owner):
                is_sorted = narrow == mark_order(owner) and page.sort_by == "displayName" and len(org_ids or "1") == 1
                order = narrow if is_sorted else None
                total, documents = await self._pages.scan({"$and": parts}, page, narrow, order=order)
            else:
                is_whole = all(one == _PEOPLE or _is_of_one_org(one) for one in conditions)
                # Otherwise the database tries its many indexes, each over a third of the users, before a late page.
                index = listing_order(page.sort_by, owner) if is_whole else None
                total, documents = await self._pages.read({"$and": parts}, page, index)
        return await self._found(total, documents, rules)

    async def without_way_in(self, user: AnyUser) -> bool:
        """Reports whether a user can neither sign in nor accept an invitation, once active. Raises `unavailable`."""
        rules = await self._ways_in.find_rules()
        if rules is None:
            return isinstance(user, EndUser) and Mark.WITHOUT_WAY_IN.value in marks_of(user)
        async with guarded():
            question = {"_id": user.id, **rules.question(Mark.WITHOUT_WAY_IN, (user.org_id,))}
            return await self._rows.find_one(question, {"_id": 1}) is not None

    async def _found(self, total: int, documents: Sequence[Document], rules: RulesOfWays | None) -> FoundUsers:
        no_way_in = {one["_id"] for one in documents if Mark.WITHOUT_WAY_IN.value in one.get(MARKS, ())}
        if rules and documents:
            of_page = {"_id": {"$in": [one["_id"] for one in documents]}, **rules.question(Mark.WITHOUT_WAY_IN)}
            async with guarded():
                no_way_in = {row["_id"] async for row in self._rows.find(of_page, {"_id": 1})}
        return FoundUsers(total, [ACCOUNTS.record(document) for document in documents], frozenset(no_way_in))

    async def _with_groups(self, condition: PlainCondition) -> PlainCondition:
        """Members of a group inside another one are found by either; those of a deleted group by none."""
        match condition:
            case ValueCondition() if condition.member == OF_GROUP:
                inside = await self._groups.list_inside(condition.values)
                return ValueCondition(OF_GROUP, tuple(sorted({*inside, *chain.from_iterable(inside.values())})))
            case RoleCondition():
                giving = await self._groups.list_giving(condition.project_id, condition.role_key)
                return condition._replace(group_ids=tuple(giving))
            case CombinedCondition():
                each = [await self._with_groups(one) for one in condition.conditions]
                return condition._replace(conditions=tuple(each))
        return condition

    async def _search_words(
        self, orgs: Document, conditions: Sequence[Document], typed: Sequence[str], page: Page, order: Hint
    ) -> tuple[int, Sequence[Document]]:
        """Deleted users have no words."""
        await self._word_index.require()
        of_org = {**orgs, **ANY_TYPE}
        words = [word for text in typed for word in typed_words(text)]
        rarest = await find_rarest(self._rows, of_org, words, USER_WORD_ORDER)
        question: Document = {"$and": [of_org, *conditions, rarest.as_question()]}
        return await self._pages.scan(question, page, USER_WORD_ORDER, few=_SORTED, order=order)


def _by_rules(condition: Condition, rules: RulesOfWays | None, org_ids: tuple[str, ...]) -> Condition:
    match condition:
        case MarkCondition() if rules and condition.mark in ACCESS:
            return AccessCondition(condition.mark, rules, org_ids)
        case CombinedCondition():
            inner = (_by_rules(one, rules, org_ids) for one in condition.conditions)
            return condition._replace(conditions=tuple(one for one in inner if not isinstance(one, WordsCondition)))
    return condition


_PEOPLE: Final = ValueCondition("type", ("human",))


def _is_of_one_org(condition: Condition) -> bool:
    return isinstance(condition, ValueCondition) and condition.member == "orgId" and len(condition.values) == 1


def _named_org(conditions: Sequence[Condition]) -> Sequence[str]:
    return next((one.values for one in conditions if isinstance(one, ValueCondition) and _is_of_one_org(one)), ())


def _is_of_marks(condition: Condition) -> bool:
    if isinstance(condition, CombinedCondition):
        return any(_is_of_marks(one) for one in condition.conditions)
    return isinstance(condition, MarkCondition | NeverSignedIn)


def _without_implied(conditions: Sequence[Condition]) -> list[Condition]:
    """Only people have marks and sign-ins: without the type, their number is counted in the index."""
    if any(isinstance(one, MarkCondition | NeverSignedIn) for one in conditions):
        return [one for one in conditions if one != _PEOPLE]
    return list(conditions)


def _index_of(conditions: Sequence[Condition], owner: str) -> Hint | None:
    """Returns the index by which the users of the narrowest condition are found; None for the order of the page."""
    if any(isinstance(one, ValueCondition) and one.member == OF_GROUP for one in conditions):
        return GROUP_ORDER
    if any(isinstance(one, NeverSignedIn) for one in conditions):
        return listing_order(LAST_SIGN_IN, owner)
    if any(isinstance(one, MarkCondition | AccessCondition) for one in conditions):
        return mark_order(owner)
    scanned = next((one.member for one in conditions if isinstance(one, TextCondition) and one.is_scanned), None)
    return listing_order(scanned, owner) if scanned else None
