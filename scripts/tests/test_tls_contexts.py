"""The rule that keeps the verification of TLS clients in one place."""

from __future__ import annotations

import pytest
from house_rules.source import Source
from house_rules.tls_contexts import TlsContexts


def found(text: str, path: str = "services/keys/portico_keys/thing.py") -> list[int]:
    return [finding.line for finding in TlsContexts().check(Source.read(path, text))]


@pytest.mark.parametrize(
    "text",
    [
        "ssl.create_default_context()",
        "to_thread(ssl.create_default_context, cafile=x)",
        "from ssl import create_default_context",
        "ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)",
        "SSLContext()",
        "httpx.create_ssl_context()",
        "httpx.AsyncClient(timeout=5)",
        "httpx.post(url, data=form)",
    ],
)
def test_context_of_a_tls_client_is_found(text: str) -> None:
    assert found(text) == [1]
    assert found(text, "services/keys/tests/unit/test_thing.py") == []


@pytest.mark.parametrize(
    "text",
    [
        "client_context(ca_file)",
        "ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)",
        "tls: ssl.SSLContext",
        "httpx.AsyncClient(verify=trust)",
        "httpx.AsyncClient(transport=transport_to(issuer))",
        "mapping.get(name)",
    ],
)
def test_other_tls_is_allowed(text: str) -> None:
    assert found(text) == []


def test_context_is_made_in_one_place() -> None:
    text = "ssl.create_default_context()"

    assert found(text, "libs/runtime/portico_runtime/tls/clients.py") == []
