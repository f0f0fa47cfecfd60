from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Any

from redis.asyncio.connection import RedisSSLContext, SSLConnection

from portico_runtime.tls.clients import client_context


class TlsConnection(SSLConnection):
    """redis-py would trust the system's authorities in addition to those of the address, and verify as this Python does."""

    def _connection_arguments(self) -> Mapping[str, Any]:
        self.ssl_context.context = self.ssl_context.context or _made(self.ssl_context)
        arguments: Mapping[str, Any] = super()._connection_arguments()
        return arguments


def _made(of: RedisSSLContext) -> ssl.SSLContext:
    """Returns the context for the options of an address: what `RedisSSLContext.get` does, with our verification."""
    context = client_context(of.ca_certs or "", pem=of.ca_data or "", folder=of.ca_path or "")
    context.check_hostname = of.check_hostname
    context.verify_mode = ssl.VerifyMode(of.cert_reqs)
    for flag in of.include_verify_flags or ():
        context.verify_flags |= flag
    for flag in of.exclude_verify_flags or ():
        context.verify_flags &= ~flag
    if of.certfile or of.keyfile:
        context.load_cert_chain(of.certfile or "", of.keyfile, of.password)
    if of.min_version is not None:
        context.minimum_version = of.min_version
    if of.ciphers is not None:
        context.set_ciphers(of.ciphers)
    return context
