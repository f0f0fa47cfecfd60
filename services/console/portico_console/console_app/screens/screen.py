from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

Template = Mapping[str, Any]
"""Fields of a request. ``$name`` is replaced by the part ``name`` of the URL, or by the search text."""


class Kind(Enum):
    TEXT = "text"
    CODE = "code"
    STATE = "state"
    TIME = "time"
    YES = "yes"
    LIST = "list"
    WORD = "word"
    SECONDS = "seconds"
    BYTES = "bytes"


class Column(NamedTuple):
    """One value of an object.

    Attributes:
        title: in English; translated.
        path: of the value: ``human.profile.displayName``; alternatives are separated by a bar. Empty for a row
            that is the value itself.
        absent: the meaning of an absent value: proto3 JSON omits the first value of an enum.
    """

    title: str
    path: str
    kind: Kind = Kind.TEXT
    absent: str = ""


class Search(NamedTuple):
    """A search of a list.

    `word` is used in URLs; `title` is in English, translated; `query` are request fields with ``$q`` for the
    text.
    """

    word: str
    title: str
    query: Template


class Filter(NamedTuple):
    """A filter of a list.

    `word` is used in URLs; `title` is in English, translated; `query` are request fields.
    """

    word: str
    title: str
    query: Template


@dataclass(frozen=True, slots=True)
class Listing:
    """How objects are listed.

    Args:
        method: of the management API; returns rows and ``details.totalResult``.
        columns: the first is a link to the object.
        id: path of the id in a row; empty for a row that is the value itself.
        fixed: further request fields.
        rows: path of the rows in the response.
        page: the request field with offset and limit; empty without paging.
        one: request fields that find a single object, with ``$id``, where there is no method that gets one.
        newest_first: the API sorts by newest and accepts no other order.
        leads_to: URL of a row, with values of the row in braces; empty for its page on this screen.
    """

    method: str
    columns: tuple[Column, ...]
    id: str = "id"
    fixed: Template = field(default_factory=dict)
    rows: str = "result"
    page: str = "query"
    searches: tuple[Search, ...] = ()
    filters: tuple[Filter, ...] = ()
    one: Template = field(default_factory=dict)
    newest_first: bool = False
    leads_to: str = ""


class Getting(NamedTuple):
    """How one object is read.

    `object` is the field of the response; empty for the response itself.
    """

    method: str
    object: str


class Options(NamedTuple):
    """Source of a field's options.

    Attributes:
        method: lists them.
        value, label: paths in a row; empty for a row that is the value itself.
        fixed: request fields; ``$.path`` is a field of the page's object.
    """

    method: str
    value: str = ""
    label: str = ""
    fixed: Template = MappingProxyType({})


class Usage(NamedTuple):
    """Number of dependent objects, from a method.

    `counts` are titles, in English and translated, and fields of the response.
    """

    method: str
    counts: tuple[tuple[str, str], ...]


class Danger(Enum):
    PRESS = "press"
    CONFIRM = "confirm"
    TYPE_NAME = "type its name"


@dataclass(frozen=True, slots=True)
class Action:
    """An action on an object, or a creation.

    Args:
        word: used in URLs; unique within a screen.
        title: of its button, in English; translated.
        method: of the management API.
        only: the fields of its form in order; empty for an action without a form.
        fixed: further request fields.
        options: by field; too many become free text.
        of_users: user fields that also accept a login name.
        filled_from: path of the initial values in the object; ``.`` for the object itself.
        needs: path of a value that the object must have.
        states: suffixes of the states in which it is offered; empty for all.
        own: for policies: offered where the organization has its own policy (True), or inherits (False).
        danger: the confirmation of an action without a form.
        loses: what is lost, in English; translated.
        once: response fields that are shown once: secrets and links.
        leads_to: the response field with the id of the created object.
        words: options by field where the API has no list of them, in English.
        bulk: available for several rows of the list.
        at: URL of a custom page instead, with ``{org}``.
    """

    word: str
    title: str
    method: str
    only: tuple[str, ...] = ()
    fixed: Template = field(default_factory=dict)
    options: Mapping[str, Options] = field(default_factory=dict)
    of_users: tuple[str, ...] = ()
    words: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    filled_from: str = ""
    needs: str = ""
    states: tuple[str, ...] = ()
    own: bool | None = None
    danger: Danger = Danger.PRESS
    loses: str = ""
    once: tuple[str, ...] = ()
    leads_to: str = ""
    bulk: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """One kind of object.

    Args:
        key: unique; not part of URLs.
        path: of its list, or of the page of a singleton: ``/orgs/{org}/users``.
        part: the following URL part with the id of an object; empty for a singleton.
        title: of the list, in English; translated.
        parts: URL part by request field; ignored by methods without such a field.
        listing: None for a singleton.
        getting: None where the listing finds the object.
        name: path of the object's name.
        facts: values on its page; by default the columns of the list.
        create: creation actions.
        actions: actions on an object.
        children: keys of the screens shown on its page.
        hangs: keys of screens whose objects are deleted with this one; counted for the confirmation.
        hint: a sentence below the title, in English; translated.
        empty: the sentence of an empty list, in English; translated.
        beside: the method that returns the instance's policy.
        links: further pages of an object: path suffix and title.
        usage: see `Usage`.
        previewed: its page has a preview of its colours.
    """

    key: str
    path: str
    title: str
    part: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    listing: Listing | None = None
    getting: Getting | None = None
    name: str = "name"
    facts: tuple[Column, ...] = ()
    create: tuple[Action, ...] = ()
    actions: tuple[Action, ...] = ()
    children: tuple[str, ...] = ()
    hangs: tuple[str, ...] = ()
    hint: str = ""
    empty: str = ""
    beside: str = ""
    links: tuple[tuple[str, str], ...] = ()
    usage: Usage | None = None
    previewed: bool = False

    @property
    def object_path(self) -> str:
        return f"{self.path}/{{{self.part}}}" if self.part else self.path

    @property
    def methods(self) -> set[str]:
        found = {one.method for one in (*self.create, *self.actions)}
        found |= {one.method for one in (self.listing, self.getting) if one is not None}
        found |= {one.method for action in (*self.create, *self.actions) for one in action.options.values()}
        found |= {self.usage.method} if self.usage else set()
        return found | ({self.beside} if self.beside else set())
