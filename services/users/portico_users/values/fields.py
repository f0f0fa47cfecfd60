"""Tables of fields that map records to messages and documents; the API, apply and export use them.

A field that has the same name and the same values in all three needs no row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Generic, Protocol, TypeVar, cast

import msgspec
from portico_contracts.apply import ObjectState
from portico_oauth.errors import ErrorCode

from portico_users.values.problems import below
from portico_users.values.records import Record, State

Word = TypeVar("Word", bound=str)

MISSING: Final = msgspec.UNSET
"""The value of a field that a source does not state: the record keeps its own."""

_DETAILS: Final = frozenset(Record.__struct_fields__) - {"state"}


class Source(Protocol):
    """A message or a part of a document that values are read from."""

    def find(self, name: str, /) -> object:
        """The value of a field by its public name: text for enumerations and durations, sources for objects; or MISSING."""
        ...


class Conversion(Protocol):
    """Converts the values of a field."""

    def read(self, value: object, /) -> object:
        """The value of the record. A ServiceError it raises is given the place of the field."""
        ...

    def write(self, value: object, /) -> object:
        """The public value: text for enumerations and durations, parts of documents for objects."""
        ...


class Words:
    """Converts enumerations by document words; ``issuer`` is also ``CLIENT_ASSERTION_AUDIENCE_ISSUER`` in messages."""

    def __init__(self, stored: Mapping[Word, object]) -> None:
        self._stored = dict[str, object](stored.items())
        self._words = {value: word for word, value in stored.items()}

    def read(self, value: object) -> object:
        """The stored value of a word."""
        name = str(value)
        word = next((word for word in self._stored if is_word(name, word)), name)
        return self._stored[word]

    def write(self, value: object) -> object:
        """The word of documents for a stored value."""
        return self._words[value]


def is_word(name: str, word: str) -> bool:
    """Reports whether the name of a value in a message, or a word in a document, is this word."""
    return name == word or name.endswith(f"_{word.upper()}")


_WHOLE_SECONDS: Final = re.compile(r"(-?[0-9]{1,20})s?")


class WholeSeconds:
    """Converts durations such as ``5s`` into numbers; ``error`` is for fractions of a second and other text."""

    def __init__(self, error: ErrorCode) -> None:
        self._error = error

    def read(self, value: object) -> int:
        """The number of seconds."""
        found = _WHOLE_SECONDS.fullmatch(str(value))
        if found is None:  # the pattern of documents permits a line break at the end
            raise self._error.error()
        return int(found[1])

    def write(self, value: object) -> str:
        """The duration as proto3 JSON writes it."""
        return f"{value}s"


class Each:
    """Converts every value of a list."""

    def __init__(self, one: Conversion) -> None:
        self._one = one

    def read(self, value: object) -> object:
        """The stored values, in the same order."""
        return tuple(self._one.read(one) for one in _items(value))

    def write(self, value: object) -> object:
        """The public values, in the same order."""
        return tuple(self._one.write(one) for one in _items(value))


class _Same:
    def read(self, value: object) -> object:
        return value

    def write(self, value: object) -> object:
        return value


_SAME: Final = _Same()


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    public: str = ""
    conversion: Conversion = _SAME

    @property
    def public_name(self) -> str:
        """Its name in messages and documents."""
        return self.public or self.name

    @property
    def place(self) -> str:
        """Its place in errors."""
        first, *others = self.public_name.split("_")
        return first + "".join(word.capitalize() for word in others)


STATE: Final = Field("state", conversion=Words({one: State(one.value) for one in ObjectState}))

Stored = TypeVar("Stored", bound=msgspec.Struct)
Declared = TypeVar("Declared", bound=msgspec.Struct)


class Fields(Generic[Stored, Declared]):
    """The fields of one kind of record, or of an object in another record.

    Args:
        hidden: fields that neither messages nor documents have: ids, secrets, and fields converted elsewhere.
        shown: values shown instead of stored ones, by name in the record.
    """

    def __init__(
        self,
        record: type[Stored],
        document: type[Declared],
        rows: Iterable[Field] = (),
        *,
        hidden: Iterable[str] = (),
        shown: Mapping[str, Callable[[Stored], object]] | None = None,
    ) -> None:
        by_name = {row.name: row for row in rows}
        self.record = record
        self.document_type = document
        self.hidden = frozenset(hidden) | (_DETAILS if issubclass(record, Record) else frozenset())
        self.fields = tuple(
            by_name.get(name, Field(name)) for name in record.__struct_fields__ if name not in self.hidden
        )
        self._shown = shown or {}
        if unknown := ({*by_name, *hidden, *self._shown} - set(record.__struct_fields__)):
            raise ValueError(f"{record.__name__} has no fields {sorted(unknown)}")
        defaults = {one.name: one.default for one in msgspec.structs.fields(record)}
        declared = {one.name: one.default for one in msgspec.structs.fields(document)}
        self._declared = frozenset(declared)
        self._optional = {
            one.public_name: defaults[one.name] for one in self.fields if declared.get(one.public_name, MISSING) is None
        }

    def values(self, source: Source) -> dict[str, object]:
        """The values that a source states, by their names in the record."""
        found: dict[str, object] = {}
        for field in self.fields:
            value = source.find(field.public_name)
            if value is not MISSING:
                with below(field.place):
                    found[field.name] = field.conversion.read(value)
        return found

    def new(self, source: Source) -> Stored:
        """A record of the values of a source. Raises as `values`."""
        return self.record(**self.values(source))

    def changed(self, record: Stored, source: Source) -> Stored:
        """The record with the values of a source. Raises as `values`."""
        return msgspec.structs.replace(record, **self.values(source))

    def public_values(self, record: Stored, among: Iterable[str]) -> dict[str, object]:
        """The values of a record, by their public names."""
        wanted = frozenset(among)
        return {
            field.public_name: field.conversion.write(self._shown_value(record, field.name))
            for field in self.fields
            if field.public_name in wanted
        }

    def declared(self, record: Stored) -> dict[str, object]:
        """The values as a document declares them; optional ones that are the default of the record are left out."""
        left_out = {
            field.public_name
            for field in self.fields
            if self._optional.get(field.public_name, MISSING) == getattr(record, field.name)
        }
        return self.public_values(record, self._declared - left_out)

    def document(self, record: Stored, **others: object) -> Declared:
        """The record as a document declares it; ``others`` are values that are not in the table."""
        return self.document_type(**self.declared(record), **others)

    def read(self, value: object) -> object:
        """A record of an object in a message or a document."""
        return self.new(cast("Source", value))

    def write(self, value: object) -> object:
        """The part of a document for a record."""
        return self.document(cast("Stored", value))

    def _shown_value(self, record: Stored, name: str) -> object:
        return self._shown[name](record) if name in self._shown else getattr(record, name)


class DeclaredValues:
    """A part of a document as a source: what it leaves out is missing; with `optional_only`, also what it cannot."""

    def __init__(self, declared: msgspec.Struct, *, optional_only: bool = False) -> None:
        self._declared = declared
        self._optional_only = optional_only

    def find(self, name: str) -> object:
        """The value of a field; MISSING for one that the part leaves out or does not have."""
        value = getattr(self._declared, name, None)
        if value is None or (self._optional_only and name not in _optional(type(self._declared))):
            return MISSING
        return _as_sources(value)


@cache
def _optional(declared: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(one.name for one in msgspec.structs.fields(declared) if one.default is None)


def _as_sources(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_as_sources(one) for one in value)
    return DeclaredValues(value) if isinstance(value, msgspec.Struct) else value


def _items(value: object) -> Iterable[object]:
    return cast("Iterable[object]", value)
