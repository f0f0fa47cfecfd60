from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import CodeType

    from jinja2 import BytecodeCache
    from jinja2.bccache import Bucket


@cache
def compiled_templates() -> BytecodeCache:
    """Returns the code of each template, for all languages: to compile one takes longer than to render it."""
    from jinja2 import BytecodeCache  # noqa: PLC0415 - a service that renders no page does not load it

    class CompiledTemplates(BytecodeCache):
        def __init__(self) -> None:
            self._code: dict[str, CodeType | None] = {}

        def load_bytecode(self, bucket: Bucket) -> None:
            bucket.code = self._code.get(bucket.key)

        def dump_bytecode(self, bucket: Bucket) -> None:
            self._code[bucket.key] = bucket.code

    return CompiledTemplates()
