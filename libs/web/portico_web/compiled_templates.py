from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jinja2 import BytecodeCache

if TYPE_CHECKING:
    from types import CodeType

    from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """The code of each template, for the environments of all languages: to compile takes longer than to render."""

    def __init__(self) -> None:
        self._code: dict[str, CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.code


COMPILED_TEMPLATES: Final = CompiledTemplates()
