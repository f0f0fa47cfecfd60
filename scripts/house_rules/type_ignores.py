from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.prose import comments_of
from house_rules.rule import Finding
from house_rules.source import Source

_BARE: Final = re.compile(r"#\s*type:\s*ignore(?!\[)")


class TypeIgnores:
    """A bare ``type: ignore`` hides the next mistake on its line as well."""

    name: ClassVar[str] = "type-ignore"

    def check(self, source: Source) -> Iterator[Finding]:
        for line, comment in comments_of(source) if _BARE.search(source.text) else ():
            if _BARE.search(comment):
                yield Finding(source.path, line, self.name, "name the code: type: ignore[arg-type]")
