from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_LOOKS_SECRET: Final = re.compile(
    r"(\A|_)(secret|password|csrf|verifier|handle|otp|passcode|signature|mac|api_key|secret_hash)\Z"
    r"|\A(code|token|challenge|access_token|refresh_token|fingerprint|hash)\Z|_(challenge|fingerprint)\Z"
)
_COMPARES: Final = re.compile(r"[=!]=")


class SecretComparison:
    """Secrets are compared in constant time: the duration of ``==`` reveals the position of the first difference.

    Use `portico_oauth.opaque.equal_in_constant_time`. Comparisons with a constant, and tests, are exempt.
    """

    name: ClassVar[str] = "secret-comparison"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports == and != where a name looks like a secret's."""
        if source.is_test or not _COMPARES.search(source.text):
            return
        for node in source.nodes():
            if isinstance(node, ast.Compare) and _compares_secrets(node):
                yield Finding(source.path, node.lineno, self.name, "use portico_oauth.opaque.same")


def _compares_secrets(node: ast.Compare) -> bool:
    if not all(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops):
        return False
    sides = [node.left, *node.comparators]
    if any(_is_constant(side) for side in sides):
        return False
    return any(_LOOKS_SECRET.search(_name_of(side)) for side in sides)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or _name_of(node).isupper()


def _name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=function):
            return _name_of(function)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case _:
            return ""
