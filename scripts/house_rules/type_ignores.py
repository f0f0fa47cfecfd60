"""What the type checker may overlook is named."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_BARE: Final = re.compile(r"#\s*type:\s*ignore(?!\[)")


class TypeIgnores:
    """A bare ``type: ignore`` hides the next mistake on its line as well."""

    name: ClassVar[str] = "type-ignore"

    def check(self, source: Source) -> Iterator[Finding]:
        """Comments that ignore without saying what."""
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
            if token.type == tokenize.COMMENT and _BARE.search(token.string):
                yield Finding(source.path, token.start[0], self.name, "name the code: type: ignore[arg-type]")
