"""YAML with the line of each object. Tags of other programs become `Tagged`, and construct nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from portico_contracts.documents.yaml_nodes import STANDARD, InvalidYaml, compose
from portico_oauth.surrogates import with_paired_surrogates
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.placeholders import Placeholder, Tagged, is_placeholder
from portico_conversion.reading.records import Kind, read_record
from portico_conversion.reading.text_files import READ_ERRORS, describe, opened

LONGEST: Final = 16 * 1024 * 1024
"""Characters of a file: YAML is read as a whole."""

_CHUNK: Final = 64 * 1024
_DEEPEST: Final = 50
_MOST_NODES: Final = 1_000_000
_SCALARS: Final = {"bool", "int", "float", "null"}


class Object(dict[str, Any]):
    """A mapping, with its place."""

    place: Place


class NodeReader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes = 0
        self._constructor = yaml.constructor.SafeConstructor()

    def place(self, node: Node) -> Place:
        return Place(self._name, node.start_mark.line + 1)

    def read(self, node: Node, depth: int = 0) -> Any:
        self._nodes += 1
        # An alias is the same node again: without limits, a few lines expand to gigabytes.
        if depth > _DEEPEST or self._nodes > _MOST_NODES:
            raise SourceError(self.place(node), "The document is nested too deeply or has too many values.")
        if not node.tag.startswith(STANDARD):
            return Tagged(node.tag, self._untagged(node, depth), self.place(node).line)
        return self._untagged(node, depth)

    def _untagged(self, node: Node, depth: int) -> Any:
        match node:
            case MappingNode():
                return self._mapping(node, depth)
            case SequenceNode():
                return [self.read(item, depth + 1) for item in node.value]
            case ScalarNode():
                return self.scalar(node)
        raise SourceError(self.place(node), "Unexpected kind of value.")

    def _mapping(self, node: MappingNode, depth: int) -> Object:
        found = Object()
        found.place = self.place(node)
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise SourceError(self.place(key), "A name must be text.")
            found[self._text(key)] = self.read(value, depth + 1)
        return found

    def scalar(self, node: ScalarNode) -> Any:
        kind = node.tag.removeprefix(STANDARD)
        if kind not in _SCALARS:
            text = self._text(node)
            return Placeholder(text, self.place(node).line) if is_placeholder(text) else text
        try:
            return self._constructor.construct_object(node)
        except (ValueError, OverflowError, yaml.YAMLError):
            raise SourceError(self.place(node), "This value is not what its tag says.") from None

    def _text(self, node: ScalarNode) -> str:
        try:
            return with_paired_surrogates(node.value)
        except ValueError:
            raise SourceError(self.place(node), "This text contains an unpaired surrogate.") from None


def _text_of(path: Path) -> str:
    text = ""
    with opened(path) as file:
        try:
            while part := file.read(_CHUNK):
                text += part
                if len(text) > LONGEST:
                    raise SourceError(path.name, "The file is too large.")
        except READ_ERRORS as error:
            place = Place(path.name, text.count("\n") + 1)
            raise SourceError(place, f"After this line: {describe(error)}") from None
    return text


def compose_file(path: Path) -> Node | None:
    """Raises `SourceError` for a file that is not YAML."""
    try:
        return compose(_text_of(path))
    except InvalidYaml as error:
        raise SourceError(Place(path.name, error.line), f"Invalid YAML: {error.problem}.") from None


def read_yaml(path: Path) -> Object:
    """Raises `SourceError` for anything but a mapping."""
    node = compose_file(path)
    value = NodeReader(path.name).read(node) if node else None
    if not isinstance(value, Object):
        raise SourceError(path.name, "The file is not a mapping.")
    return value


def records_in(value: Any, kind: type[Kind], findings: Findings) -> Iterator[tuple[Object, Kind]]:
    """Yields the objects of a list that can be read, and reports the others."""
    for one in value if isinstance(value, list) else ():
        if isinstance(one, Object) and (record := read_record(one, kind, one.place, findings)):
            yield one, record
