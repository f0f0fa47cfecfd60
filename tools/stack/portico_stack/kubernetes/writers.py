"""One description of each object, written twice: as YAML for kustomize, and as a template of the Helm chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml

HEAD: Final = "# Generated from portico_contracts.topology by `make gen`: change it there.\n"
ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of a member that users of the chart choose.

    `value` is for kustomize, ABSENT for none; `expression` yields it in the chart, as YAML in one line;
    `condition` is when the chart has the member, always if empty.
    """

    value: object
    expression: str
    condition: str = ""


@dataclass(frozen=True, slots=True)
class EachPair:
    """Items of a list that only the chart has: one with ``name`` and ``value`` for each member of a map."""

    expression: str


@dataclass(frozen=True, slots=True)
class EachItem:
    """Items of a list that only the chart has: those of a list, unchanged."""

    expression: str


NAMESPACED: Final = Choice(ABSENT, ".Release.Namespace")
"""The namespace of an object; kustomize adds it by itself."""


def written(objects: Sequence[object]) -> str:
    """YAML for kustomize and people, in the order of the description, without anchors."""
    return "---\n".join(_yaml(_plain(one)) for one in objects)


def template(objects: Sequence[object]) -> str:
    return "---\n".join("".join(f"{line}\n" for line in _lines(one)) for one in objects)


def _plain(node: Any) -> Any:
    if isinstance(node, Choice):
        return _plain(node.value)
    if isinstance(node, dict):
        values = {name: _plain(value) for name, value in node.items()}
        return {name: value for name, value in values.items() if value is not ABSENT}
    if isinstance(node, list):
        return [_plain(item) for item in node if not isinstance(item, EachPair | EachItem)]
    return node


def _lines(node: Any) -> Iterator[str]:
    if isinstance(node, Choice):
        yield f"{{{{ {node.expression} }}}}"
    elif isinstance(node, EachPair):
        yield f"{{{{- range $name, $value := {node.expression} }}}}"
        yield from ("- name: {{ $name }}", "  value: {{ $value | quote }}", "{{- end }}")
    elif isinstance(node, EachItem):
        yield from (f"{{{{- range {node.expression} }}}}", "- {{ toJson . }}", "{{- end }}")
    elif node and isinstance(node, dict):
        for name, value in node.items():
            yield from _member(name, value)
    elif node and isinstance(node, list):
        for item in node:
            first, *others = _lines(item)
            indented = (f"  {line}" for line in others)
            yield from (first, *others) if isinstance(item, EachPair | EachItem) else (f"- {first}", *indented)
    else:
        yield _yaml(node).splitlines()[0]


def _member(name: str, value: Any) -> Iterator[str]:
    lines = list(_lines(value))
    if isinstance(value, Choice) and value.condition:
        yield from (f"{{{{- if {value.condition} }}}}", f"{name}: {lines[0]}", "{{- end }}")
    elif value and isinstance(value, dict | list):
        yield f"{name}:"
        yield from lines if isinstance(value, list) else (f"  {line}" for line in lines)
    else:
        yield f"{name}: {lines[0]}"


def _yaml(node: object) -> str:
    return str(yaml.dump(node, Dumper=_Plain, sort_keys=False, width=120))


class _Plain(yaml.SafeDumper):
    """Disables anchors and aliases, which are harder to read than repeated lines."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
