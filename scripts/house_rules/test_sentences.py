"""Every test states its rule in one sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_NEXT_SENTENCE: Final = re.compile(r"[.!?]\s+[A-Z]")
_ABBREVIATION: Final = re.compile(r"\b(e\.g|i\.e|cf|vs|etc)\.", re.IGNORECASE)


class TestSentences:
    """When a test fails in two years, its docstring decides whether the test or the change is wrong.

    A name cannot state the rule and where it comes from; two sentences are two tests.
    """

    __test__ = False  # pytest collects by name
    name: ClassVar[str] = "test-sentence"

    def check(self, source: Source) -> Iterator[Finding]:
        """Test functions without a docstring of one sentence."""
        if "tests" not in source.path.split("/") and not source.path.startswith("tests-e2e/"):
            return
        for function in source.functions():
            if function.name.startswith("test_") and not is_sentence(ast.get_docstring(function) or ""):
                text = f"{function.name} needs a docstring of one sentence that says the rule"
                yield Finding(source.path, function.lineno, self.name, text)


def is_sentence(text: str) -> bool:
    """One sentence, ended by its mark, on however many lines."""
    words = _ABBREVIATION.sub("", text).strip()
    return bool(words) and words[-1] in ".!?" and "\n\n" not in words and not _NEXT_SENTENCE.search(words)
