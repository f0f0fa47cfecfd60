"""Reads the YAML of ``portico apply``; every error has file, line and column.

Walks the YAML nodes along the structs of `portico_contracts.apply`, so that the document has no second
schema. ``${NAME}`` in a value is replaced from the environment; ``$${`` is a literal ``${``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import yaml
from msgspec import inspect
from portico_oauth.surrogates import with_paired_surrogates
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from portico_contracts.apply import Document
from portico_contracts.documents.usual_yaml import NULL, TEXT_TAGS, VARIABLE, WHOLE_NUMBER, read_usual
from portico_contracts.documents.yaml_nodes import STANDARD, InvalidYaml, compose


class DocumentError(ValueError):
    def __init__(self, where: str, sentence: str) -> None:
        super().__init__(f"{where}: {sentence}")
        self.where = where
        self.sentence = sentence


def read_document(text: str, name: str, environment: Mapping[str, str]) -> Document:
    """`name` is the file name for messages; ``${NAME}`` is replaced from `environment`."""
    if (usual := read_usual(text, environment)) is not None:
        return usual
    reader = _Reader(name, environment)
    try:
        node = compose(text)
    except InvalidYaml as error:
        raise DocumentError(f"{name}:{error.line}:{error.column}", str(error)) from error
    if node is None:
        raise DocumentError(f"{name}:1:1", "the document is empty")
    return msgspec.convert(reader.read(node, inspect.type_info(Document), "the document"), Document)


def find_place(text: str, name: str, path: str) -> str | None:
    """Returns file, line and column of a path (``organizations[0].humans[3].email``) or its nearest parent."""
    node = compose(text)
    if node is None:
        return None
    mark = node.start_mark
    for step in re.findall(r"[A-Za-z]+|[0-9]+", path):
        inner = _inner(node, step)
        if inner is None:
            break
        mark, node = inner
    return _Reader(name, {}).at(mark)


def _inner(node: Node, step: str) -> tuple[yaml.Mark, Node] | None:
    if isinstance(node, SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        entry = node.value[int(step)]
        return entry.start_mark, entry
    if isinstance(node, MappingNode):
        return next(((key.start_mark, value) for key, value in node.value if key.value == step), None)
    return None


class _Reader:
    def __init__(self, name: str, environment: Mapping[str, str]) -> None:
        self._name = name
        self._environment = environment
        self._by_kind: tuple[tuple[type[inspect.Type], Callable[[Node, Any, str], Any]], ...] = (
            (inspect.Metadata, self._metadata),
            (inspect.UnionType, self._optional),
            (inspect.StructType, self._struct),
            (inspect.VarTupleType, self._tuple),
            (inspect.DictType, self._dict),
            (inspect.EnumType, self._choice),
            (inspect.LiteralType, self._choice),
            (inspect.StrType, self._text),
            (inspect.BoolType, self._truth),
            (inspect.IntType, self._number),
        )

    def read(self, node: Node, wanted: inspect.Type, what: str) -> Any:
        for kind, read in self._by_kind:
            if isinstance(wanted, kind):
                return read(node, wanted, what)
        raise TypeError(f"{what} has an unsupported type: {wanted}")

    def at(self, mark: yaml.Mark) -> str:
        return f"{self._name}:{mark.line + 1}:{mark.column + 1}"

    def _wrong(self, node: Node, sentence: str) -> DocumentError:
        return DocumentError(self.at(node.start_mark), sentence)

    def _metadata(self, node: Node, wanted: inspect.Metadata, what: str) -> Any:
        return self.read(node, wanted.type, what)

    def _optional(self, node: Node, wanted: inspect.UnionType, what: str) -> Any:
        if node.tag == NULL:
            return None
        [kind] = [kind for kind in wanted.types if not isinstance(kind, inspect.NoneType)]
        return self.read(node, kind, what)

    def _struct(self, node: Node, wanted: inspect.StructType, what: str) -> dict[str, Any]:
        fields = {field.encode_name: field for field in wanted.fields}
        entries = self._entries(node, what)
        for key, (key_node, _value) in entries.items():
            if key not in fields:
                near = difflib.get_close_matches(key, fields, n=1)
                meant = f"; did you mean {near[0]}?" if near else f"; fields are {', '.join(fields)}"
                raise self._wrong(key_node, f"{what} has no field {key}{meant}")
        for name, field in fields.items():
            if field.required and name not in entries:
                raise self._wrong(node, f"{what} requires {name}")
        return {key: self.read(value, fields[key].type, key) for key, (_key, value) in entries.items()}

    def _dict(self, node: Node, wanted: inspect.DictType, what: str) -> dict[str, Any]:
        return {
            key: self.read(value, wanted.value_type, key) for key, (_key, value) in self._entries(node, what).items()
        }

    def _entries(self, node: Node, what: str) -> dict[str, tuple[Node, Node]]:
        if not isinstance(node, MappingNode):
            raise self._wrong(node, f"{what} must be a mapping of names to values")
        entries: dict[str, tuple[Node, Node]] = {}
        for key_node, value in node.value:
            if not isinstance(key_node, ScalarNode):
                raise self._wrong(key_node, "a name must be text")
            name = self._paired(key_node, key_node.value, f"a name of {what}")
            if name in entries:
                first = entries[name][0].start_mark.line + 1
                raise self._wrong(key_node, f"{name} is repeated, first in line {first}")
            entries[name] = (key_node, value)
        return entries

    def _tuple(self, node: Node, wanted: inspect.VarTupleType, what: str) -> list[Any]:
        if not isinstance(node, SequenceNode):
            raise self._wrong(node, f"{what} must be a list")
        return [self.read(item, wanted.item_type, f"an entry of {what}") for item in node.value]

    def _choice(self, node: Node, wanted: inspect.EnumType | inspect.LiteralType, what: str) -> str:
        value = self._scalar(node, what, "one of the known names")
        values = wanted.values if isinstance(wanted, inspect.LiteralType) else [one.value for one in wanted.cls]
        choices = [str(one) for one in values]
        if value not in choices:
            raise self._wrong(node, f"{what} must be one of {', '.join(choices)}")
        return value

    def _text(self, node: Node, wanted: inspect.StrType, what: str) -> str:
        if isinstance(node, ScalarNode) and node.style is None and node.tag not in TEXT_TAGS:
            raise self._wrong(node, f"{what} must be text; put it in quotes")
        value = self._scalar(node, what, "text")
        if wanted.min_length is not None and len(value) < wanted.min_length:
            raise self._wrong(node, f"{what} must have at least {_characters(wanted.min_length)}")
        if wanted.max_length is not None and len(value) > wanted.max_length:
            raise self._wrong(node, f"{what} must have at most {_characters(wanted.max_length)}")
        if wanted.pattern is not None and not re.search(wanted.pattern, value):
            raise self._wrong(node, f"{what} must match {wanted.pattern}")
        return value

    def _truth(self, node: Node, _wanted: inspect.BoolType, what: str) -> bool:
        value = self._plain(node, what, "true or false")
        if value not in ("true", "false"):
            raise self._wrong(node, f"{what} must be true or false")
        return value == "true"

    def _number(self, node: Node, wanted: inspect.IntType, what: str) -> int:
        value = self._plain(node, what, "a whole number")
        if not WHOLE_NUMBER.match(value):
            raise self._wrong(node, f"{what} must be a whole number")
        number = int(value)
        if (wanted.ge is not None and number < wanted.ge) or (wanted.le is not None and number > wanted.le):
            raise self._wrong(node, f"{what} must be from {wanted.ge} to {wanted.le}")
        return number

    def _plain(self, node: Node, what: str, kind: str) -> str:
        if isinstance(node, ScalarNode) and node.style in ("'", '"'):
            raise self._wrong(node, f"{what} must be {kind}, without quotes")
        return self._scalar(node, what, kind)

    def _scalar(self, node: Node, what: str, kind: str) -> str:
        if not isinstance(node, ScalarNode):
            raise self._wrong(node, f"{what} must be {kind}")
        if not node.tag.startswith(STANDARD):
            raise self._wrong(node, f"{what} has the unsupported tag {node.tag}")

        def replace(match: re.Match[str]) -> str:
            escaped, variable = match.groups()
            if escaped:
                return match.group(0)[1:]
            if variable not in self._environment:
                raise self._wrong(node, f"{what} uses ${{{variable}}}, which is not set in the environment")
            return self._environment[variable]

        return self._paired(node, VARIABLE.sub(replace, node.value), what)

    def _paired(self, node: Node, text: str, what: str) -> str:
        try:
            return with_paired_surrogates(text)
        except ValueError:
            raise self._wrong(node, f"{what} contains an unpaired surrogate, which is not valid text") from None


def _characters(number: int) -> str:
    return "one character" if number == 1 else f"{number} characters"
