"""The texts that users meet: plain sentences, in errors, pages, emails, help, settings, metrics and the API."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from house_rules.prose import documents, lines_of
from house_rules.rule import Finding
from house_rules.source import Source

_LISTS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text())
CONSTRUCTIONS: Final[Mapping[str, str]] = _LISTS["constructions"]

_PATTERNS: Final = tuple(
    (re.compile(rf"(?<![-\w])(?:{pattern})", re.IGNORECASE), plain) for pattern, plain in CONSTRUCTIONS.items()
)
_CODE: Final = re.compile(r"`[^`]*`|\{[^}]*\}|https?://\S+")
_TRANSLATED: Final = re.compile(r"\{%-? trans[^%]*%\}(.*?)\{%-? endtrans", re.DOTALL)

SHOWN: Final = (
    "tools/conversion/portico_conversion/",
    "tools/portico/portico_cli/",
    "tools/stack/portico_stack/",
    "libs/contracts/portico_contracts/documents/",
    "libs/runtime/portico_runtime/doctor/",
    "services/console/portico_console/console_app/screens/",
)
"""Folders whose sentences are all shown: by commands, by findings of the doctor, in tables of the console."""

NOT_SHOWN: Final = ("tools/stack/portico_stack/gateway/", "tools/stack/portico_stack/kubernetes/", "/generated.py")
"""Configuration of programs and its comments."""

PRODUCT: Final = ("libs/", "services/", "tools/", "apps/")
METRICS: Final = frozenset({"Counter", "Gauge", "Histogram"})
DESCRIBING: Final = frozenset({"help", "description", "short_help", "epilog"})


class Shown(NamedTuple):
    """A text that users meet.

    Attributes:
        is_whole: it begins where a sentence begins; not so in a line of a longer text.
    """

    path: str
    line: int
    text: str
    is_whole: bool = True


class PlainTexts:
    """A reader in a hurry decodes nothing: a noun as subject, a verb for the effect, one thought a sentence.

    The constructions that fail are in `scripts/house_rules/words.toml`, each with what to write instead. They are looked
    for in errors, templates, English messages of the catalogues, help and output of commands, tables of the console,
    descriptions of settings and metrics, comments of .proto files, and documents.
    """

    name: ClassVar[str] = "plain-text"

    def check(self, root: Path, sources: Sequence[Source]) -> Iterator[Finding]:
        """Constructions of the list in a text that is shown."""
        for text in chain(
            _of_python(sources), _of_templates(root), _of_catalogues(root), _of_proto_files(root), _of_documents(root)
        ):
            yield from self._found(text)

    def _found(self, shown: Shown) -> Iterator[Finding]:
        text = _CODE.sub("", shown.text)
        for pattern, plain in _PATTERNS:
            if "^" in pattern.pattern and not shown.is_whole:
                continue
            if found := pattern.search(text):
                yield Finding(shown.path, shown.line, self.name, f"{found[0].strip()}: write {plain}")


def _of_python(sources: Sequence[Source]) -> Iterator[Shown]:
    for source in sources:
        if source.path.startswith(PRODUCT) and not source.is_test:
            for line, text in texts_of(source):
                yield Shown(source.path, line, text)


def _of_templates(root: Path) -> Iterator[Shown]:
    templates = (*root.glob("*/*/portico_*/templates/**/*.*"), *root.glob("*/*/portico_*/steps/**/*.html"))
    for template in sorted(templates):
        for line, text in translated_texts(template.read_text()):
            yield Shown(template.relative_to(root).as_posix(), line, text)


def _of_catalogues(root: Path) -> Iterator[Shown]:
    """The English messages, which the catalogues of all languages share."""
    for locale in sorted(root.glob("*/*/portico_*/locale")):
        catalogue = min(locale.glob("*.po"))
        for number, line in enumerate(catalogue.read_text().splitlines(), 1):
            if line.startswith("msgid"):
                yield Shown(catalogue.relative_to(root).as_posix(), number, line.partition('"')[2].removesuffix('"'))


def _of_proto_files(root: Path) -> Iterator[Shown]:
    for proto in sorted(root.glob("libs/contracts/proto/portico/**/*.proto")):
        for number, line in enumerate(proto.read_text().splitlines(), 1):
            if line.lstrip().startswith("//"):
                yield Shown(proto.relative_to(root).as_posix(), number, line, is_whole=False)


def _of_documents(root: Path) -> Iterator[Shown]:
    """Guides, READMEs and decisions."""
    for document in documents(root):
        path = document.relative_to(root).as_posix()
        for number, line in lines_of(document):
            yield Shown(path, number, line, is_whole=False)


def translated_texts(template: str) -> Iterator[tuple[int, str]]:
    """The texts of a template between trans and endtrans, with their lines."""
    for found in _TRANSLATED.finditer(template):
        yield template.count("\n", 0, found.start()) + 1, found[1].strip()


def texts_of(source: Source) -> Iterator[tuple[int, str]]:
    """The texts of a file that users meet, with their lines."""
    all_shown = source.path.startswith(SHOWN) and not any(part in source.path for part in NOT_SHOWN)
    docstrings = {id(node.value) for node in source.statements() if isinstance(node, ast.Expr)}
    for node in source.nodes():
        match node:
            case ast.Constant(value=str() as text) if all_shown and id(node) not in docstrings and text.count(" ") > 1:
                yield node.lineno, text
            case ast.Call() if not all_shown:
                yield from _described(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if any(map(_is_command, node.decorator_list)):
                yield from _docstring(node)
            case ast.ClassDef(name=name) if name.endswith("Section") and "portico_runtime" in source.path:
                yield from _docstring(node)
            case _:
                pass


def _described(call: ast.Call) -> Iterator[tuple[int, str]]:
    """The text and fix of an `ErrorCode`, the help of a metric, and what is passed as a description."""
    parts: list[ast.expr] = [keyword.value for keyword in call.keywords if keyword.arg in DESCRIBING]
    match call.func:
        case ast.Name(id="ErrorCode"):
            parts += call.args[1:]
        case ast.Name(id=name) if name in METRICS:
            parts += call.args[1:2]
        case _:
            pass
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.lineno, part.value


def _is_command(decorator: ast.expr) -> bool:
    match decorator:
        case ast.Call(func=ast.Attribute(attr="command" | "group")):
            return True
        case _:
            return False


def _docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[tuple[int, str]]:
    if text := ast.get_docstring(node):
        yield node.body[0].lineno, text
