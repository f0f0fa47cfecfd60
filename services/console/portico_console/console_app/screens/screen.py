from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from portico_console.request_context import RequestContext

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
    METHODS = "methods"
    LANGUAGES = "languages"
    NAMES = "names"


class Column(NamedTuple):
    """One value of an object.

    Attributes:
        path: ``human.profile.displayName``; alternatives are separated by a bar.
        absent: the meaning of an absent value: proto3 JSON omits the first value of an enum.
    """

    title: str
    path: str
    kind: Kind = Kind.TEXT
    absent: str = ""


class Search(NamedTuple):
    """`query` are request fields, with ``$q`` for the text."""

    word: str
    title: str
    query: Template


class Filter(NamedTuple):
    word: str
    title: str
    query: Template


class Narrowing(NamedTuple):
    """A filter with a value, such as a group; several apply together, and beside one `Filter`.

    `query` are request fields with ``$value``, or ``$before`` and ``$after`` its first slash. `named` is the field with
    an id whose name a chip shows.
    """

    word: str
    title: str
    query: Template
    named: str


class Sort(NamedTuple):
    """`title` is that of a column; `by` is the API's ``sortingColumn``, empty for the only order of a list."""

    title: str
    by: str = ""

    @property
    def word(self) -> str:
        return self.title.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Listing:
    """How objects are listed.

    Args:
        method: returns rows and ``details.totalResult``.
        columns: the first is a link to the object.
        id: path of the id in the object's address; several are joined by a plus sign, where none of them is unique.
        page: the request field with offset and limit; empty without paging.
        narrowings: filters with a value, chosen on the page ``/do/filter`` of the list, which is made by hand; such a
            list can be saved under a name.
        some: request fields that find the objects of ``$ids`` in one call.
        one: request fields that find a single object, with ``$id``, where there is no method that gets one.
        sorts: the first is the default order, ascending unless `newest_first`.
        with_address: the first column has the address of the object too.
        only_exported: columns of files, beside those of the page.
        leads_to: URL of a row, with values of the row in braces; empty for its page on this screen.
    """

    method: str
    columns: tuple[Column, ...]
    id: str = "id"
    fixed: Template = field(default_factory=dict)
    page: str = "query"
    searches: tuple[Search, ...] = ()
    filters: tuple[Filter, ...] = ()
    narrowings: tuple[Narrowing, ...] = ()
    some: Template = field(default_factory=dict)
    one: Template = field(default_factory=dict)
    newest_first: bool = False
    sorts: tuple[Sort, ...] = ()
    only_exported: tuple[Column, ...] = ()
    with_address: bool = False
    leads_to: str = ""


class Getting(NamedTuple):
    """`object` is the field of the response; empty for the response itself."""

    method: str
    object: str


class Options(NamedTuple):
    """`value` and `label` are paths in a row; ``$.path`` in `fixed` is a field of the page's object.

    `otherwise` is used where nothing is found; those of `more` are offered too.
    """

    method: str
    value: str = ""
    label: str = ""
    fixed: Template = MappingProxyType({})
    otherwise: Options | None = None
    more: Options | None = None


class Usage(NamedTuple):
    """Number of dependent objects; `counts` are titles and fields of the response."""

    method: str
    counts: tuple[tuple[str, str], ...]


SAVE: Final = "Save"

Already = Callable[[RequestContext, Mapping[str, Any]], Awaitable[None]]
"""Takes the fields of the call."""


class Danger(Enum):
    PRESS = "press"
    CONFIRM = "confirm"
    TYPE_NAME = "type its name"


@dataclass(frozen=True, slots=True)
class Action:
    """An action on an object, or a creation.

    Args:
        word: used in URLs; unique within a screen.
        options: by field; too many become free text.
        of_users: user fields, found by words or by a login name.
        shown: number of fields above "More settings"; 0 for all. Required ones are always there.
        starts: initial values of a creation.
        filled_from: path of the initial values in the object; ``.`` for the object itself;
            several are separated by a bar, and ``field=path`` fills one field.
        tab: title of this page of a form with several pages, whose actions have the same method. The values of the
            other pages stay as they are stored at `filled_from`.
        needs: path of a value that the object must have.
        states: suffixes of the states in which it is offered; empty for all.
        own: for policies: offered where the organization has its own policy (True), or inherits (False).
        once: response fields that are shown once: secrets and links.
        is_result: these fields are the result of a test, which can be repeated.
        left: response field with how much is not done yet: the call is repeated, then the form asks to send it again.
        bulk: the title for several rows, with ``%(count)s``; empty where it is not offered for several.
        only_bulk: it is offered for several rows only.
        splits: a field whose value has the value of another one after a slash: a project, and its grant.
        already: what is done for an entry of which the API answers that it exists; None for an error.
        leads_to: the response field with the id of the created object.
        onward: path of a page that the results for several rows link, with chosen values in braces, and the words.
        replaces: of a creation: the operation replaces an existing object, so it is sent only for a new id.
        undo: the word of the action that reverses it.
        done: what was done, shown once on the page after it, with the object's ``%(name)s``.
        named: path of that name in the request; by default the name of the object, or ``name`` of a created one.
        submit: label of the button, by default "Save" where the form starts with the stored values.
        at: URL of a custom page instead, with ``{org}`` and other parts of the path.
        invites: URL of a page for a person without an account, with ``{org}``.
    """

    word: str
    title: str
    method: str
    only: tuple[str, ...] = ()
    fixed: Template = field(default_factory=dict)
    options: Mapping[str, Options] = field(default_factory=dict)
    of_users: tuple[str, ...] = ()
    words: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    shown: int = 0
    starts: Template = field(default_factory=dict)
    filled_from: str = ""
    tab: str = ""
    needs: str = ""
    states: tuple[str, ...] = ()
    own: bool | None = None
    danger: Danger = Danger.PRESS
    loses: str = ""
    once: tuple[str, ...] = ()
    is_result: bool = False
    left: str = ""
    leads_to: str = ""
    onward: tuple[str, str] = ("", "")
    replaces: bool = False
    bulk: str = ""
    only_bulk: bool = False
    splits: tuple[str, str] = ("", "")
    already: Already | None = None
    done: str = ""
    undo: str = ""
    named: str = ""
    submit: str = ""
    at: str = ""
    invites: str = ""

    @property
    def button(self) -> str:
        return self.submit or (SAVE if self.filled_from else self.title)


class Link(NamedTuple):
    """A page about an object that is made by hand: the end of its URL, and the method that it calls."""

    title: str
    end: str
    method: str


@dataclass(frozen=True, slots=True)
class Screen:
    """One kind of object.

    Args:
        path: of its list, or of the page of a singleton: ``/orgs/{org}/users``.
        part: the following URL part with the id of an object; empty for a singleton.
        parts: URL part by request field; ignored by methods without such a field.
        getting: None where the listing finds the object.
        facts: values on its page; by default the columns of the list.
        address: path of a second name that distinguishes objects of equal names, such as an email address.
        children: keys of the screens shown on its page.
        leads: key of the child whose creation is the first button of the page.
        hangs: keys of screens whose objects are deleted with this one; counted for the confirmation.
        named: fields with ids whose names are read too: ``projectId`` becomes ``projectName``.
        links: to other pages about the object.
        imports: the method behind the page ``/do/import`` of its list; empty if it has no such page.
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
    address: str = ""
    children: tuple[str, ...] = ()
    leads: str = ""
    hangs: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    hint: str = ""
    empty: str = ""
    named: tuple[str, ...] = ()
    usage: Usage | None = None
    imports: str = ""

    def tabs(self, action: Action) -> tuple[Action, ...]:
        """Returns the pages of the form, of which only the first is an action of the object's page."""
        return tuple(one for one in self.actions if one.tab and one.method == action.method) if action.tab else ()

    @property
    def object_path(self) -> str:
        return f"{self.path}/{{{self.part}}}" if self.part else self.path

    @property
    def methods(self) -> set[str]:
        found = {one.method for one in (*self.create, *self.actions)}
        found |= {one.method for one in (self.listing, self.getting) if one is not None}
        found |= {one.method for action in (*self.create, *self.actions) for one in action.options.values()}
        found |= {self.usage.method} if self.usage else set()
        return found
