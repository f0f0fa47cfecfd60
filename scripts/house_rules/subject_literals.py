from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_SUBJECT: Final = re.compile(r"(authz|token|keys|users|events)\.v\d+\.")


class SubjectLiterals:
    """Bus subjects are declared once, in `libs/contracts`.

    The bus permissions, the message table and the test bus are derived from these constants, so the bus
    refuses a subject written elsewhere.
    """

    name: ClassVar[str] = "subject-literal"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports strings that look like a subject outside contracts."""
        if source.path.startswith("libs/contracts/") or not _SUBJECT.search(source.text):
            return
        for node in source.nodes():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _SUBJECT.match(node.value):
                yield Finding(source.path, node.lineno, self.name, "use the constant of portico_contracts")
