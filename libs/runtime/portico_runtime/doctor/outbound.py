from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from typing import Final, NamedTuple

from portico_runtime.doctor.finding import Finding
from portico_runtime.http_client.addresses import AddressNotAllowed, OutboundError, read_target
from portico_runtime.http_client.outbound import MAX_BYTES, Outbound, find_addresses, resolve_with_system
from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.tls.clients import client_context

_NAME: Final = "outbound"
_PROXIES: Final = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
_OK: Final = 200


async def check_outbound(settings: OutboundSection) -> AsyncIterator[Finding]:
    allowed = read_allow_list(settings.outbound_allow)
    for host, port in sorted(allowed):
        try:
            await find_addresses(host, port, resolve_with_system, allowed)
        except OutboundError as error:
            fix = "Correct PORTICO_OUTBOUND_ALLOW, or make the name resolve where the service runs."
            yield Finding(_NAME, "warning", f"{host}:{port} is allowed, but {error}", fix)
    try:
        trust = client_context(settings.outbound_ca_file)
    except OSError as error:
        fix = "Set it to a PEM file that the service can read."
        yield Finding(_NAME, "wrong", f"PORTICO_OUTBOUND_CA_FILE cannot be read ({type(error).__name__})", fix)
        return
    if not trust.cert_store_stats()["x509_ca"]:
        fix = "Install the CA certificates of the system (ca-certificates), or set PORTICO_OUTBOUND_CA_FILE."
        yield Finding(_NAME, "wrong", "no CA certificates found", fix, "All outbound requests fail.")
    if named := [name for name in _PROXIES if os.environ.get(name) or os.environ.get(name.lower())]:
        fix = "Allow the service to connect directly. It refuses private addresses itself, which would not work through a proxy."
        yield Finding(_NAME, "warning", f"{', '.join(named)} has no effect: the service connects directly", fix)
    names = ", ".join(f"{host}:{port}" for host, port in sorted(allowed)) or "none"
    yield Finding(_NAME, "ok", f"to public https addresses; also allowed: {names}")


class Published(NamedTuple):
    url: str
    limit: int = MAX_BYTES


async def check_documents(settings: OutboundSection, documents: Mapping[str, Published]) -> AsyncIterator[Finding]:
    outbound = Outbound(settings)
    allowed = read_allow_list(settings.outbound_allow)
    try:
        for whose, document in documents.items():
            yield await _document(outbound, whose, document, allowed)
    finally:
        await outbound.close()


async def _document(
    outbound: Outbound, whose: str, document: Published, allowed: frozenset[tuple[str, int]]
) -> Finding:
    why = "Users who sign in with it see an error page that offers other ways to sign in."
    try:
        target = read_target(document.url, allowed)
        place = f"{target.host}:{target.port}"
        answer = await outbound.get(document.url, limit=document.limit)
    except AddressNotAllowed as error:
        fix = "If you trust this address, add its host:port to PORTICO_OUTBOUND_ALLOW of this service."
        return Finding(_NAME, "wrong", f"requests to {whose} are not allowed: {error}", fix, why)
    except OutboundError as error:
        fix = f"Check that this machine can reach {place}: DNS, firewalls, and PORTICO_OUTBOUND_CA_FILE if it uses a private certificate authority."
        return Finding(_NAME, "wrong", f"{whose} does not respond ({error})", fix, why)
    if answer.status != _OK:
        fix = "Compare the configured issuer with the documentation of the provider."
        return Finding(_NAME, "wrong", f"{whose} responds with status {answer.status} at {place}", fix, why)
    return Finding(_NAME, "ok", f"{whose} responds at {place}")
