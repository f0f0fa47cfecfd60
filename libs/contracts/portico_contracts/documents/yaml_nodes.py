"""YAML nodes of documents that others have written: composed within limits, and without constructing anything."""

from __future__ import annotations

from typing import Any, Final

import yaml
from yaml.events import Event
from yaml.nodes import Node, ScalarNode
from yaml.reader import ReaderError

DEEPEST: Final = 50
LONGEST: Final = 100
"""Characters of a value without quotes that is not read as text: the library reads numbers such as ``1:1:1`` in quadratic time."""

STANDARD: Final = "tag:yaml.org,2002:"
_TEXT: Final = f"{STANDARD}str"


class InvalidYaml(ValueError):
    """`line` and `column` count from 1; `problem` is a part of a sentence."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"this is not YAML: {problem}")
        self.problem, self.line, self.column = problem, line, column


class BeyondLimits(InvalidYaml):
    def __str__(self) -> str:
        return self.problem


class _LimitError(yaml.MarkedYAMLError):
    pass


class _Loader(yaml.SafeLoader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        self._depth += 1
        if self._depth > DEEPEST:
            event: Event = self.peek_event()  # type: ignore[no-untyped-call] # PyYAML has no types here
            raise _LimitError(problem="the document is nested too deeply", problem_mark=event.start_mark)  # type: ignore[arg-type]
        node: Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def compose_scalar_node(self, anchor: Any) -> ScalarNode:
        node: ScalarNode = super().compose_scalar_node(anchor)
        if node.tag.startswith(STANDARD) and node.tag != _TEXT and len(node.value) > LONGEST:
            problem = f"a value that is not text has more than {LONGEST} characters"
            raise _LimitError(problem=problem, problem_mark=node.start_mark)
        return node


def compose(text: str) -> Node | None:
    """Returns the node of one document; raises `InvalidYaml`."""
    try:
        loader = _Loader(text)
        try:
            node: Node | None = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        kind = BeyondLimits if isinstance(error, _LimitError) else InvalidYaml
        raise kind(str(error.problem), *((mark.line + 1, mark.column + 1) if mark else (1, 1))) from error
    except ReaderError as error:
        before = text[: error.position]
        column = len(before) - before.rfind("\n")
        raise InvalidYaml("this character is not allowed", before.count("\n") + 1, column) from error
    return node
