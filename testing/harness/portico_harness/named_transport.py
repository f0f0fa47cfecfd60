"""Transport of HTTPX to hosts whose names do not resolve; the demo application has that of HTTPX2, which Authlib uses."""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx
from portico_runtime.tls.clients import client_context, context_without_authorities


class _AtAddress(httpx.AsyncHTTPTransport):
    def __init__(self, host: str, address: tuple[str, int], trust: ssl.SSLContext) -> None:
        super().__init__(verify=trust, trust_env=False)
        self._host = host
        self._address = address

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a copy, so that the original request keeps its host."""
        if request.url.host != self._host:
            return await super().handle_async_request(request)
        address, port = self._address
        return await super().handle_async_request(
            httpx.Request(
                request.method,
                request.url.copy_with(host=address, port=port),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": self._host},
            )
        )


def transport_to(issuer: str, ca_file: Path | None = None, address: str = "") -> httpx.AsyncHTTPTransport:
    """`address` (host:port), where given, is connected to instead of the issuer's host."""
    is_plain = issuer.startswith("http:")
    trust = context_without_authorities() if is_plain else client_context(str(ca_file or ""))
    if not address:
        return httpx.AsyncHTTPTransport(verify=trust, trust_env=False)
    name, _, port = address.rpartition(":")
    return _AtAddress(httpx.URL(issuer).host, (name, int(port)), trust)
