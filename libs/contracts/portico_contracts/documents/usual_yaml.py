"""Reads valid documents of the usual form by libyaml, in an eighth of the time and without their nodes.

None for any other text, such as one with an error, an anchor or a tag: `reading` reads it, and names the place of the
error. So nothing is refused here, and every check of `reading` is made here too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
import yaml
from msgspec import inspect
from portico_oauth.surrogates import with_paired_surrogates
from yaml import events

from portico_contracts.apply import Document
from portico_contracts.documents.yaml_nodes import LONGEST, STANDARD

VARIABLE: Final = re.compile(r"\$(\$)?\{([^{}]*)\}")
WHOLE_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)\Z")
TEXT_TAGS: Final = frozenset({f"{STANDARD}str", f"{STANDARD}timestamp"})
NULL: Final = f"{STANDARD}null"

_TEXT: Final = f"{STANDARD}str"
_RESOLVERS: Final = yaml.SafeLoader.yaml_implicit_resolvers
"""Tags with their expressions, by the first character of a value without quotes."""


class _UnusualError(Exception):
    pass


class _Source(NamedTuple):
    next: Callable[[], Any]
    environment: Mapping[str, str]


Read = Callable[[Any, _Source], Any]


def read_usual(text: str, environment: Mapping[str, str]) -> Document | None:
    if not yaml.__with_libyaml__:  # as PyYAML was built
        return None
    try:
        parser = yaml.CSafeLoader(text)
    except (yaml.YAMLError, UnicodeError):
        return None
    try:
        return _read_only_document(_Source(parser.get_event, environment))
    except (_UnusualError, yaml.YAMLError, UnicodeError, msgspec.ValidationError):
        return None
    finally:
        parser.dispose()


def _read_only_document(source: _Source) -> Document:
    source.next()  # the start of the stream
    start = source.next()
    if type(start) is not events.DocumentStartEvent or start.version or start.tags:
        raise _UnusualError
    document: Document = _reader_of(inspect.type_info(Document))(source.next(), source)
    source.next()  # the end of the document
    if type(source.next()) is not events.StreamEndEvent:
        raise _UnusualError
    return document


def _reader_of(kind: inspect.Type) -> Read:
    read: Read | None = None
    match kind:
        case inspect.Metadata(type=inner):
            read = _reader_of(inner)
        case inspect.UnionType(types=types):
            [inner] = [one for one in types if not isinstance(one, inspect.NoneType)]
            read = _optional(_reader_of(inner))
        case inspect.StructType(cls=cls):
            read = _struct(cls)
        case inspect.VarTupleType(item_type=item):
            read = _list(_reader_of(item))
        case inspect.DictType(value_type=value):
            read = _mapping(_reader_of(value))
        case inspect.EnumType(cls=names):
            read = _choice(frozenset(str(one.value) for one in names))
        case inspect.LiteralType(values=values):
            read = _choice(frozenset(str(one) for one in values))
    # msgspec compares lengths, patterns and limits.
    return read or _SCALARS[type(kind)]


@cache
def _struct(cls: type[msgspec.Struct]) -> Read:
    fields = inspect.type_info(cls).fields  # type: ignore[attr-defined] # a struct's
    readers = {field.encode_name: _reader_of(field.type) for field in fields}

    def read(event: Any, source: _Source) -> Any:
        _require(event, events.MappingStartEvent)
        values: dict[str, Any] = {}
        while type(key := source.next()) is not events.MappingEndEvent:
            name = _plain_name(key)
            reader = readers.get(name)
            if reader is None or name in values:
                raise _UnusualError
            values[name] = reader(source.next(), source)
        return msgspec.convert(values, cls)

    return read


def _mapping(read_value: Read) -> Read:
    def read(event: Any, source: _Source) -> dict[str, Any]:
        _require(event, events.MappingStartEvent)
        values: dict[str, Any] = {}
        while type(key := source.next()) is not events.MappingEndEvent:
            name = _plain_name(key)
            if name in values:
                raise _UnusualError
            values[name] = read_value(source.next(), source)
        return values

    return read


def _list(read_item: Read) -> Read:
    def read(event: Any, source: _Source) -> list[Any]:
        _require(event, events.SequenceStartEvent)
        items = []
        while type(item := source.next()) is not events.SequenceEndEvent:
            items.append(read_item(item, source))
        return items

    return read


def _optional(read_value: Read) -> Read:
    def read(event: Any, source: _Source) -> Any:
        if type(event) is events.ScalarEvent and _tag_of(event) == NULL:
            return None
        return read_value(event, source)

    return read


def _choice(values: frozenset[str]) -> Read:
    def read(event: Any, source: _Source) -> str:
        value = _scalar(event, source)
        if value not in values:
            raise _UnusualError
        return value

    return read


def _text(event: Any, source: _Source) -> str:
    if type(event) is not events.ScalarEvent or _tag_of(event) not in TEXT_TAGS:
        raise _UnusualError
    return _scalar(event, source)


def _truth(event: Any, source: _Source) -> bool:
    value = _scalar(event, source)
    if event.style or value not in ("true", "false"):
        raise _UnusualError
    return value == "true"


def _number(event: Any, source: _Source) -> int:
    value = _scalar(event, source)
    if event.style or not WHOLE_NUMBER.match(value):
        raise _UnusualError
    return int(value)


def _require(event: Any, kind: type[events.CollectionStartEvent]) -> None:
    if type(event) is not kind or event.anchor or event.tag:
        raise _UnusualError


def _plain_name(event: Any) -> str:
    if type(event) is not events.ScalarEvent:
        raise _UnusualError
    _tag_of(event)
    name: str = event.value
    return name


def _tag_of(event: Any) -> str:
    """As `yaml.resolver` finds it. An anchor, a tag, and a long value that is not text are unusual."""
    if event.anchor or event.tag:
        raise _UnusualError
    value: str = event.value
    if event.style:  # quotes, or a block
        return _TEXT
    for tag, expression in _RESOLVERS.get(value[:1], ()):
        if len(value) > LONGEST:
            raise _UnusualError
        if expression.match(value):
            return str(tag)
    return _TEXT


def _scalar(event: Any, source: _Source) -> str:
    if type(event) is not events.ScalarEvent:
        raise _UnusualError
    _tag_of(event)
    value: str = event.value
    return _with_variables(value, source.environment) if "${" in value else value


def _with_variables(value: str, environment: Mapping[str, str]) -> str:
    def replaced(match: re.Match[str]) -> str:
        escaped, variable = match.groups()
        if escaped:
            return match.group(0)[1:]
        if variable not in environment:
            raise _UnusualError
        return environment[variable]

    try:
        return with_paired_surrogates(VARIABLE.sub(replaced, value))
    except ValueError:
        raise _UnusualError from None


_SCALARS: Final[Mapping[type[inspect.Type], Read]] = {
    inspect.StrType: _text,
    inspect.BoolType: _truth,
    inspect.IntType: _number,
}
