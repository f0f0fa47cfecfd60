"""Client certificates (RFC 8705) in HAProxy: a separate listener, and the headers for token (RFC 9440).

The handshake proves that the client has the private key. Who issued the certificate, and whether it is valid, is decided
by token alone, so that self-signed ones arrive there; HAProxy needs a file of CAs nevertheless, and names none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.gateway_headers import CLIENT_CERTIFICATE, GATEWAY_KEY
from portico_contracts.http import MTLS_ALIASES

CERTIFICATE_VARIABLE: Final = "PORTICO_GATEWAY_CERTIFICATE"
_HERE: Final = "{ so_name mtls }"


class ClientCertificates:
    """The lines for `addresses`, in effect where the environment has the key of the gateway."""

    def __init__(self, addresses: Sequence[str], certificate: str) -> None:
        """`certificate` is the file of the server, empty for the one that the environment names."""
        self._addresses = addresses
        self._certificate = certificate or f'"${{{CERTIFICATE_VARIABLE}}}"'
        named = "" if certificate else f"defined({CERTIFICATE_VARIABLE}) && "
        self._condition = f".if {named}defined({rules.MTLS_KEY_VARIABLE})"

    def binds(self) -> Iterator[str]:
        ignored = "crt-ignore-err all ca-ignore-err all"
        asked = f"verify optional ca-verify-file {self._certificate} {ignored}"
        tls = f"ssl crt {self._certificate} alpn h2,http/1.1 {asked}"
        return self._if_turned_on(f"bind {address} name mtls {tls}" for address in self._addresses)

    def headers(self) -> Iterator[str]:
        """After the same headers of clients were removed, on every listener."""
        key = f'"${{{rules.MTLS_KEY_VARIABLE}}}"'
        return self._if_turned_on(
            (
                f"http-request set-header {GATEWAY_KEY} {key} if {_HERE}",
                f"http-request set-header {CLIENT_CERTIFICATE} :%[ssl_c_der,base64]: if {_HERE} {{ ssl_c_used }}",
            )
        )

    def only_aliases(self, nothing: str) -> Iterator[str]:
        """No pages, for which a browser would show its certificates."""
        aliases = " ".join(MTLS_ALIASES.values())
        return self._if_turned_on((f"use_backend {nothing} if {_HERE} !{{ path {aliases} }}",))

    def _if_turned_on(self, lines: Iterator[str] | tuple[str, ...]) -> Iterator[str]:
        if self._addresses:
            yield self._condition
            yield from lines
            yield ".endif"
