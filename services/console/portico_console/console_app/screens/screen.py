"""How a kind of object is shown and changed: what a row of the table is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

Template = Mapping[str, Any]
"""Fields of a request. A text that is ``$name`` is replaced by the part ``name`` of the address, or by what was searched."""


class Kind(Enum):
    """How a value is shown."""

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
        path: where it is in the object: ``human.profile.displayName``; alternatives are separated by a bar. Empty for a
            row that is the value itself.
        absent: what an absent value means: proto3 JSON leaves out the first value of an enum.
    """

    title: str
    path: str
    kind: Kind = Kind.TEXT
    absent: str = ""


class Search(NamedTuple):
    """One way to search a list.

    Attributes:
        word: in the address.
        title: what is searched, in English; translated.
        query: the fields of the request, with ``$q`` for what was typed.
    """

    word: str
    title: str
    query: Template


class Filter(NamedTuple):
    """One choice that narrows a list.

    Attributes:
        word: in the address.
        title: in English; translated.
        query: the fields of the request.
    """

    word: str
    title: str
    query: Template


@dataclass(frozen=True, slots=True)
class Listing:
    """How the objects are listed.

    Args:
        method: of the management API; answers rows and ``details.totalResult``.
        columns: the first leads to the object.
        id: where a row has its id; empty for a row that is the value itself.
        fixed: further fields of the request.
        rows: where the answer has them.
        page: the field of the request with offset and limit; empty for one that answers all rows.
        one: the fields that find a single object, with ``$id``, where there is no method that gets one.
        newest_first: the API answers the newest first, and is sent no other order.
        leads_to: the address a row leads to, with values of the row in braces; empty for its page on this screen.
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

    Attributes:
        method: of the management API.
        object: the field of its answer that has the object; empty for the answer itself.
    """

    method: str
    object: str


class Options(NamedTuple):
    """Where the values come from that a field may have.

    Attributes:
        method: lists them.
        value, label: where a row has them; empty for a row that is the value itself.
        fixed: fields of the request; ``$.path`` is what the object of the page has there.
    """

    method: str
    value: str = ""
    label: str = ""
    fixed: Template = MappingProxyType({})


class Usage(NamedTuple):
    """What else hangs on an object, as a method counts it.

    Attributes:
        counts: titles, in English and translated, and the fields of the answer.
    """

    method: str
    counts: tuple[tuple[str, str], ...]


class Danger(Enum):
    """How an action is confirmed."""

    PRESS = "press"
    CONFIRM = "confirm"
    TYPE_NAME = "type its name"


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done to an object, or that makes one.

    Args:
        word: in the address; each of a screen has another.
        title: of its button, in English; translated.
        method: of the management API.
        only: the fields of its form, in this order; empty for an action that has no form.
        fixed: further fields of the request.
        options: by field, what can be chosen; more than a form can show is typed.
        of_users: fields with a user, for whom a login name may be typed as well.
        filled_from: where the object has what the form begins with; ``.`` for the object itself.
        needs: where the object must have something for the action to be offered.
        states: the ends of the names of the states it is offered in; empty for all.
        own: for rules: offered where the organization has rules of its own (True), or has none (False).
        danger: how it is confirmed where it has no form.
        loses: what is lost, in English; translated.
        once: fields of the answer that are shown once: secrets and links.
        leads_to: the field of the answer with the id of what it made.
        words: by field, the values it may have where the API has no list of them, and what they are, in English.
        bulk: it can be done to several rows of the list at once.
        at: the address of a page made by hand that does it instead, with ``{org}``.
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
        key: names the screen among all; part of no address.
        path: of its list, or of the page itself for what there is one of: ``/orgs/{org}/users``.
        part: the part of the address behind it with the id of an object; empty for what there is one of.
        title: of the list, in English; translated.
        parts: by field of requests the part of the address with its value; methods that have no such field do not get it.
        listing: None for what there is one of.
        getting: None where the listing finds it.
        name: where an object has its name.
        facts: what its page shows; the columns of the list without.
        create: what makes one.
        actions: what can be done to one.
        children: keys of the screens that are shown on its page.
        hangs: keys of screens whose objects end with one of these: they are counted before that is confirmed.
        hint: a sentence below the title, in English; translated.
        empty: the sentence of an empty list, in English; translated.
        beside: the method that answers what is in force everywhere, for rules of an organization.
        links: further pages of an object: what is behind its address, and the title.
        usage: see `Usage`.
        previewed: it has colours, and its page shows what they look like.
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
        """The address of one object."""
        return f"{self.path}/{{{self.part}}}" if self.part else self.path

    @property
    def methods(self) -> set[str]:
        """Every method of the management API it calls."""
        found = {one.method for one in (*self.create, *self.actions)}
        found |= {one.method for one in (self.listing, self.getting) if one is not None}
        found |= {one.method for action in (*self.create, *self.actions) for one in action.options.values()}
        found |= {self.usage.method} if self.usage else set()
        return found | ({self.beside} if self.beside else set())
