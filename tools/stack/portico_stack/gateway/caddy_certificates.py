"""Client certificates (RFC 8705) in Caddy: what the site asks of clients, and the headers for token (RFC 9440)."""

from __future__ import annotations

from portico_contracts import gateway as rules
from portico_contracts.gateway_headers import CLIENT_CERTIFICATE, GATEWAY_KEY

from portico_stack.gateway.caddy_syntax import nested


def client_certificates(tls: tuple[str, ...]) -> list[str]:
    """`mode request` passes every certificate whose private key the handshake proved; token checks the rest."""
    return nested(tls[0] if tls else "tls", nested("client_auth", ["mode request"]))


def certificate_headers() -> list[str]:
    """Replaces what the client sent; without a certificate the value is ``::``.

    Without matchers, because Caddy runs lines that have one before those that remove the headers of clients.
    """
    der = "{http.request.tls.client.certificate_der_base64}"
    return [
        f"request_header {GATEWAY_KEY} {{${rules.MTLS_KEY_VARIABLE}}}",
        f"request_header {CLIENT_CERTIFICATE} :{der}:",
    ]
