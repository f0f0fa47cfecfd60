from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

_PLACE: Final = "libs/runtime/portico_runtime/tls/clients.py"
_MAKERS: Final = (
    "create_default_context",
    "_create_unverified_context",
    "create_urllib3_context",
    "create_ssl_context",
)
_CLIENTS: Final = frozenset(
    ("Client", "AsyncClient", "HTTPTransport", "AsyncHTTPTransport", "get", "post", "put", "request", "stream")
)
_VERIFYING: Final = frozenset(("verify", "transport"))
_TEXT: Final = "use portico_runtime.tls.clients.client_context"


class TlsContexts:
    """What a TLS client verifies is decided in `portico_runtime.tls.clients`: Python's default differs by version.

    So nothing else makes a context of a client, and httpx, which would, always gets one. Tests and the benchmark, whose
    servers are on this machine, are exempt.
    """

    name: ClassVar[str] = "tls-context"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports contexts of clients, and clients of httpx without one."""
        if source.is_test or source.path == _PLACE or source.path.startswith("bench/"):
            return
        if not ("httpx" in source.text or "SSLContext(" in source.text or any(one in source.text for one in _MAKERS)):
            return
        for node in source.nodes():
            if _makes_one(node) or _is_client_of_httpx(node):
                yield Finding(source.path, getattr(node, "lineno", 1), self.name, _TEXT)


def _makes_one(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name) if name in _MAKERS:
            return True
        case ast.Call(func=ast.Attribute(attr="SSLContext") | ast.Name(id="SSLContext"), args=given):
            return not any("PROTOCOL_TLS_SERVER" in ast.dump(one) for one in given)
        case _:
            return False


def _is_client_of_httpx(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="httpx"), attr=name), keywords=given) if name in _CLIENTS:
            return not any(one.arg in _VERIFYING for one in given)
        case _:
            return False
