"""YAML nodes of documents that others have written: composed within limits, and without constructing anything."""

from __future__ import annotations

from typing import Any, Final

import yaml
from yaml.events import Event
from yaml.nodes import Node, ScalarNode

DEEPEST: Final = 50
LONGEST: Final = 100
"""Characters of a value that is no text: the library reads numbers such as ``1:1:1`` in quadratic time."""

_STANDARD: Final = "tag:yaml.org,2002:"
_TEXT: Final = f"{_STANDARD}str"


class LimitError(yaml.MarkedYAMLError):
    pass


class _Loader(yaml.SafeLoader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        self._depth += 1
        if self._depth > DEEPEST:
            event: Event = self.peek_event()  # type: ignore[no-untyped-call] # PyYAML has no types here
            raise LimitError(problem="the document is nested too deeply", problem_mark=event.start_mark)  # type: ignore[arg-type]
        node: Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def compose_scalar_node(self, anchor: Any) -> ScalarNode:
        node: ScalarNode = super().compose_scalar_node(anchor)
        if node.tag.startswith(_STANDARD) and node.tag != _TEXT and len(node.value) > LONGEST:
            problem = f"a value that is not text has more than {LONGEST} characters"
            raise LimitError(problem=problem, problem_mark=node.start_mark)
        return node


def compose(text: str) -> Node | None:
    """Returns the node of one document; raises `yaml.YAMLError`, which is a `LimitError` beyond the limits."""
    loader = _Loader(text)
    try:
        node: Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return node
