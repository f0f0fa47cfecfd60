from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source, statements_in

_INDENTED: Final = re.compile(r"^[ \t]+(import|from)\b", re.MULTILINE)


class ImportPlaces:
    """An import inside a function hides a cycle from the reader and from the import contracts.

    Move what two modules need from each other into a third.
    """

    name: ClassVar[str] = "import-place"

    def check(self, source: Source) -> Iterator[Finding]:
        if not _INDENTED.search(source.text):
            return
        for function in source.functions():
            for node in statements_in(function):
                if isinstance(node, ast.Import | ast.ImportFrom) and _is_own(node):
                    yield Finding(source.path, node.lineno, self.name, "import it at the top of the file")


def _is_own(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.startswith("portico_") for alias in node.names)
    return node.level > 0 or (node.module or "").startswith("portico_")
