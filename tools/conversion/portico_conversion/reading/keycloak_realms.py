"""Files with realms of Keycloak: JSON, or the YAML of a Kubernetes resource (KeycloakRealmImport) with a realm in it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from portico_contracts.documents.yaml_nodes import STANDARD
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from portico_conversion.findings import Findings, SourceError
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.text_files import READ_ERRORS, opened
from portico_conversion.reading.yaml_files import NodeReader, compose_file

NO_REALM: Final = "The file is neither JSON nor a KeycloakRealmImport with spec.realm."
RESOURCE: Final = "parts of the Kubernetes resource without counterpart"

_LOOKED_AT: Final = 4_096


@contextmanager
def opened_realms(path: Path, findings: Findings) -> Iterator[JsonStream]:
    if _is_json(path):
        with opened(path) as text:
            yield JsonStream(text, path.name)
    else:
        yield JsonStream(io.StringIO(_json_of(path, findings)), path.name)


def _is_json(path: Path) -> bool:
    with opened(path) as text:
        try:
            start = text.read(_LOOKED_AT).lstrip()
        except READ_ERRORS:
            return True  # the stream reports them with their line
    return not start or start[0] in "{["


def _json_of(path: Path, findings: Findings) -> str:
    document, reader = compose_file(path), NodeReader(path.name)
    if document:
        reader.read(document)  # raises for what is nested too deeply or has unusable values
    kind, spec = _member(document, "kind"), _member(document, "spec")
    realm = _member(spec, "realm")
    if not (isinstance(kind, ScalarNode) and kind.value == "KeycloakRealmImport" and isinstance(realm, MappingNode)):
        raise SourceError(path.name, NO_REALM)
    for key, _ in spec.value if isinstance(spec, MappingNode) else ():
        if key.value != "realm":
            findings.counted(RESOURCE, f"spec.{key.value}")
    text = io.StringIO()
    _Writer(reader, text).write(realm)
    return text.getvalue()


def _member(node: Node | None, name: str) -> Node | None:
    entries = node.value if isinstance(node, MappingNode) else ()
    return next((value for key, value in entries if isinstance(key, ScalarNode) and key.value == name), None)


class _Writer:
    """Writes nodes as JSON in which each value is in the line that it has in the YAML."""

    def __init__(self, reader: NodeReader, text: io.StringIO) -> None:
        self._reader, self._text, self._line = reader, text, 0

    def write(self, node: Node) -> None:
        if not node.tag.startswith(STANDARD):
            raise SourceError(self._reader.place(node), f"The tag {node.tag} has no meaning here.")
        missing = node.start_mark.line - self._line
        self._text.write("\n" * missing)
        self._line += max(missing, 0)
        match node:
            case MappingNode():
                self._text.write("{")
                for number, (key, value) in enumerate(node.value):
                    self._text.write(f"{', ' if number else ''}{json.dumps(key.value)}: ")
                    self.write(value)
                self._text.write("}")
            case SequenceNode():
                self._text.write("[")
                for number, value in enumerate(node.value):
                    self._text.write(", " if number else "")
                    self.write(value)
                self._text.write("]")
            case ScalarNode():
                self._text.write(json.dumps(self._reader.scalar(node)))
