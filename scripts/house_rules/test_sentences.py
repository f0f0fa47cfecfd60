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
    """A test's docstring is one sentence that states the rule.

    When the test fails, its name or docstring decides whether the test or the change is wrong. Two sentences
    are two tests.
    """

    __test__ = False  # pytest collects by name
    name: ClassVar[str] = "test-sentence"

    def check(self, source: Source) -> Iterator[Finding]:
        if "tests" not in source.path.split("/") and not source.path.startswith("tests-e2e/"):
            return
        for function in source.functions():
            docstring = ast.get_docstring(function)
            if function.name.startswith("test_") and docstring and not is_sentence(docstring):
                text = f"the docstring of {function.name} must be one sentence: the rule"
                yield Finding(source.path, function.lineno, self.name, text)


def is_sentence(text: str) -> bool:
    words = _ABBREVIATION.sub("", text).strip()
    return bool(words) and words[-1] in ".!?" and "\n\n" not in words and not _NEXT_SENTENCE.search(words)
