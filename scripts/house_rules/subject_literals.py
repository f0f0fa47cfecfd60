"""Subjects of the bus are declared in contracts, once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_SUBJECT: Final = re.compile(r"(authz|token|keys|users|events)\.v\d+\.")


class SubjectLiterals:
    """A subject written a second time is not renamed with the first, and no permission covers it.

    The bus permissions, the message table and the bus of the tests are made of the constants in
    `libs/contracts`; a literal elsewhere works in the tests of its author and is refused by the bus.
    """

    name: ClassVar[str] = "subject-literal"

    def check(self, source: Source) -> Iterator[Finding]:
        """Strings that look like a subject, outside contracts."""
        if source.path.startswith("libs/contracts/") or not _SUBJECT.search(source.text):
            return
        for node in source.nodes():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _SUBJECT.match(node.value):
                yield Finding(source.path, node.lineno, self.name, "use the constant of portico_contracts")
