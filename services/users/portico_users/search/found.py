"""How objects are shown among the results, and which comes first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from portico_users.applications.app_record import App
from portico_users.end_users.end_user import EndUser
from portico_users.groups.group import Group
from portico_users.organizations.org import Org
from portico_users.projects.project import Project
from portico_users.service_users.service_user import ServiceUser
from portico_users.values.names import email_key
from portico_users.values.records import Record
from portico_users.values.words import folded, is_found, typed_words, words_of

_PARTS: Final = re.compile(r"[^\W_]+")


class Kind(StrEnum):
    HUMAN = "human"
    SERVICE_USER = "machine"
    APP = "app"
    PROJECT = "project"
    GROUP = "group"
    ORG = "org"


@dataclass(frozen=True, slots=True)
class Found:
    """A record with its shown values; ``others`` are further values that searches match."""

    kind: Kind
    record: Record
    title: str
    subtitle: str = ""
    others: tuple[str, ...] = ()
    phone: str = ""

    @property
    def project_id(self) -> str:
        return self.record.project_id if isinstance(self.record, App) else ""

    def rank(self, query: str, words: Sequence[str]) -> tuple[bool, int, bool, bool, str]:
        """Sorts exact ids first, then what was typed, marks included, then by the title: whole words, beginnings."""
        of_title = words_of((self.title,))
        whole = all(word in of_title for word in words)
        begun = all(any(one.startswith(word) for one in of_title) for word in words)
        return (not self.has_id(query), self._typed(folded(query)), not whole, not begun, folded(self.title))

    def _typed(self, query: str) -> int:
        """0 if a value is the query, 1 if one begins with it, 2 otherwise."""
        values = [folded(one) for one in (self.title, self.subtitle, *self.others)]
        return 0 if query in values else 1 if any(one.startswith(query) for one in values) else 2

    def has_id(self, query: str) -> bool:
        address = isinstance(self.record, EndUser) and "@" in query and email_key(self.record.email) == email_key(query)
        return address or query in (self.record.id, getattr(self.record, "client_id", ""))

    def matched(self, words: Sequence[str]) -> list[str]:
        return sorted({one for text in (self.title, self.subtitle) for one in _matching(text, words)})

    def other_match(self, words: Sequence[str]) -> str:
        """Returns a value with words that title and subtitle lack; empty if they have all."""
        shown = words_of((self.title, self.subtitle))
        missing = [word for word in words if not any(is_found(one, word) for one in shown)]
        for text in self.others if missing else ():
            if any(is_found(one, word) for one in words_of((text,)) for word in missing):
                return text
        if missing and any(is_found(one, word) for one in words_of((), phones=(self.phone,)) for word in missing):
            return self.phone
        return ""


def shown(record: Record) -> Found:
    match record:
        case EndUser():
            subtitle = record.email or record.user_name
            others = (record.user_name, record.nick_name, record.first_name, record.last_name)
            more = (*others, record.pending_email, record.proven_email)
            return Found(Kind.HUMAN, record, record.display_name or record.user_name, subtitle, more, record.phone)
        case ServiceUser():
            return Found(Kind.SERVICE_USER, record, record.name or record.user_name, record.user_name)
        case App():
            return Found(Kind.APP, record, record.name, record.client_id)
        case Org():
            domains = tuple(domain.name for domain in record.domains)
            return Found(Kind.ORG, record, record.name, record.primary_domain, domains)
        case Group():
            return Found(Kind.GROUP, record, record.name, record.description)
        case Project():
            return Found(Kind.PROJECT, record, record.name)
    raise TypeError(type(record).__name__)


def best_of(found: Iterable[Found], query: str, limit: int) -> list[Found]:
    words = typed_words(query)
    once = {one.record.id: one for one in found}
    return sorted(once.values(), key=lambda one: one.rank(query, words))[:limit]


def _matching(text: str, words: Sequence[str]) -> Iterable[str]:
    for piece in text.split():
        whole = folded(piece)
        if any("@" in word and is_found(whole, word) for word in words):
            yield piece
            continue
        for part in _PARTS.findall(piece):
            if any(is_found(one, word) for one in words_of((part,)) for word in words):
                yield part
