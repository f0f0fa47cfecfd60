from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple, TypeVar, get_args, get_origin

import msgspec
from portico_oauth.surrogates import find_lone_surrogate

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.placeholders import PLACEHOLDER, Placeholder, Tagged, is_placeholder

WITHOUT_VALUE: Final = "it has a placeholder, without whose value others could sign in"
UNREADABLE: Final = "the format of this object is invalid"
MEMBER: Final = "an unsupported member"
PEOPLE: Final = "users, which `portico user convert` converts"
NO_PEOPLE: Final = "parts without users, which `portico convert` converts or names"
AT_THE_SOURCE: Final = "timestamps and internal fields of the source"


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An object of a source.

    `whole`: without the value of a placeholder more people could sign in, so the object is omitted.
    `literal`: members of its mappings in which the source itself has variables.
    `usual`: members of nearly every object without counterpart, which are only counted.
    `is_part`: the structure is a part of the object, whose others another one reports.
    """

    whole: ClassVar[bool] = False
    literal: ClassVar[frozenset[str]] = frozenset()
    usual: ClassVar[frozenset[str]] = frozenset()
    is_part: ClassVar[bool] = False

    @property
    def title(self) -> str:
        return ""

    @property
    def omitted(self) -> str:
        """Returns why the object cannot be converted, or an empty text."""
        return ""


Kind = TypeVar("Kind", bound=Record)


class _Left(NamedTuple):
    """A placeholder without a value."""

    path: str
    value: Placeholder | Tagged


def read_record(value: Any, kind: type[Kind], place: Place, findings: Findings) -> Kind | None:
    """Converts a value to a structure; None, and a report, for an invalid one. Null members count as absent.

    Every member that the structure does not have is reported (decision 0113). Placeholders become absent and are
    reported; those in place of a number or a truth value make the object invalid.
    """
    left: list[_Left] = []
    plain = _Plain(findings, left).of_record(value, kind, "")
    record, error = None, ""
    try:
        record = msgspec.convert(plain, kind)
    except msgspec.ValidationError as invalid:
        error = str(invalid)  # contains only types and paths, never a value
    title = record.title if record else ""
    for one in left:
        _report(one, place, title, findings)
    if record is None:
        findings.left_out(place, error, UNREADABLE)
        return None
    if reason := record.omitted or (WITHOUT_VALUE if left and kind.whole else ""):
        findings.left_out(place, title, reason)
        return None
    report_others(value, kind, (place, title), findings)
    return record


def read_plain(value: Any, member: str, place: Place, findings: Findings) -> Any:
    """Returns a value of any type without its placeholders, which are reported; None for one alone."""
    left: list[_Left] = []
    plain = _Plain(findings, left).of_any(value, member)
    for one in left:
        _report(one, place, "", findings)
    return None if plain is _ABSENT else plain


def read_name(value: Any, member: str, place: Place, findings: Findings) -> str:
    """Returns the text that identifies what follows; raises `SourceError` for a placeholder."""
    if value is not None and (plain := read_plain(value, member, place, findings)) is None:
        raise SourceError(place, f"{member} is a placeholder: set it with --env, or replace it in the file.")
    return "" if value is None else str(plain)


def _report(one: _Left, place: Place, title: str, findings: Findings) -> None:
    where = place._replace(line=one.value.line) if one.value.line else place
    findings.not_moved(where, title, PLACEHOLDER, f"{one.path}: {one.value.names}")


_ABSENT: Final = object()


class _Plain:
    """Values with their placeholders filled in, or collected in `left`."""

    def __init__(self, findings: Findings, left: list[_Left]) -> None:
        self._fill, self._left = findings.environment.filled, left

    def of_record(self, value: Any, kind: type[Record], path: str) -> Any:
        """Returns the members that the structure has, without the others."""
        if not isinstance(value, dict):
            return self.of_any(value, path)
        made = {}
        for name, hint in _fields_of(kind).items():
            member = value.get(name)
            plain = self._of_type(member, hint, f"{path}.{name}" if path else name, kind.literal)
            if plain is not None and plain is not _ABSENT:
                made[name] = plain
        return made

    def _of_type(self, value: Any, hint: Any, path: str, literal: Collection[str]) -> Any:
        if hint in (bool, int):
            return self._scalar(value, path)
        if not isinstance(value, dict | list) or not (record := _record_in(hint)):
            return self.of_any(value, path, literal)
        if isinstance(value, list):
            found = [self._of_type(item, hint, path, literal) for item in value]
            return [one for one in found if one is not _ABSENT]
        if _is_mapping(hint):
            return {
                name: self._of_type(one, get_args(hint)[1], f"{path}.{name}", literal) for name, one in value.items()
            }
        return self.of_record(value, record, path)

    def _scalar(self, value: Any, path: str) -> Any:
        """Keeps a placeholder in place of a number or truth value, which makes the object invalid."""
        if not isinstance(value, Placeholder | Tagged):
            return value
        text = self._fill(value)
        if text is None:
            self._left.append(_Left(path, value))
            return str(value)
        return {"true": True, "false": False}.get(text, int(text) if text.isdecimal() else text)

    def of_any(self, value: Any, path: str, literal: Collection[str] = ()) -> Any:
        match value:
            case Placeholder() | Tagged():
                if (text := self._fill(value)) is not None:
                    return text
                self._left.append(_Left(path, value))
                return _ABSENT
            case dict():
                named = ((name, self._member(name, member, path, literal)) for name, member in value.items())
                return {name: plain for name, plain in named if plain is not _ABSENT and plain is not None}
            case list():
                found = (self.of_any(item, path, literal) for item in value)
                return [plain for plain in found if plain is not _ABSENT]
        return value

    def _member(self, name: str, value: Any, path: str, literal: Collection[str]) -> Any:
        if name in literal:
            return value
        if is_placeholder(name):
            self._left.append(_Left(path, Placeholder(name, 0)))
            return _ABSENT
        return self.of_any(value, f"{path}.{name}", literal)


def read_embedded(text: str, kind: type[Kind]) -> Kind:
    """Parses JSON in a string; raises ValueError."""
    try:
        value = json.loads(text)
        if find_lone_surrogate(text, value) is not None:
            raise ValueError("an unpaired surrogate")
        return msgspec.convert(_without_nulls(value), kind)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise ValueError("of the wrong type") from error


def items_of(value: Any) -> list[Any]:
    """Returns the items of a list, none for null, and anything else alone, so that it is reported."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def report_others(value: Any, kind: type[Record], about: tuple[Place, str], findings: Findings) -> None:
    for name, is_usual in dict.fromkeys(_others(value, kind)):
        if is_usual:
            findings.counted(f"{AT_THE_SOURCE}: {name}")
        else:
            findings.not_moved(*about, MEMBER, name)


def _others(value: Any, kind: type[Record]) -> Iterator[tuple[str, bool]]:
    """Yields the members that the structure, or one in it, does not have, and whether they are usual."""
    if kind.is_part:
        return
    fields = _fields_of(kind)
    for name, member in value.items():
        if name not in fields:
            if member not in (None, False, 0, "", [], {}):
                yield name, name in kind.usual
        else:
            for item, inner in _records_of(member, fields[name]):
                yield from ((f"{name}.{other}", is_usual) for other, is_usual in _others(item, inner))


def _records_of(value: Any, hint: Any) -> Iterator[tuple[dict[str, Any], type[Record]]]:
    """Yields the objects in a value that are read as structures."""
    record = _record_in(hint)
    if record is None:
        return
    if isinstance(value, list):
        for item in value:
            yield from _records_of(item, hint)
    elif isinstance(value, dict) and _is_mapping(hint):
        for item in value.values():
            yield from _records_of(item, get_args(hint)[1])
    elif isinstance(value, dict):
        yield value, record


@cache
def _fields_of(kind: type[Record]) -> Mapping[str, Any]:
    return {field.encode_name: field.type for field in msgspec.structs.fields(kind)}


def _is_mapping(hint: Any) -> bool:
    return get_origin(hint) in (dict, Mapping)


def _record_in(hint: Any) -> type[Record] | None:
    """Returns the structure in a type such as ``list[Uri] | str``."""
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint
    return next(filter(None, map(_record_in, get_args(hint))), None)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(member) for name, member in value.items() if member is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
