from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from portico_contracts.http import DISCOVERY
from portico_oauth.redirect_uris import is_loopback
from portico_runtime.doctor.certificate import DAYS_LEFT, days_left
from portico_runtime.doctor.finding import Finding
from portico_runtime.process.clock_guard import MAX_DIFFERENCE
from portico_runtime.tls.clients import client_context

_SECONDS: Final = 10.0


async def check_issuer(issuer: str, ca_file: str) -> AsyncIterator[Finding]:
    try:
        trust = client_context(ca_file)
    except OSError as error:
        fix = "Use a file with the certificates of the authority in PEM format."
        yield Finding("issuer", "wrong", f"{ca_file} cannot be read as certificates ({type(error).__name__})", fix)
        return
    async with httpx.AsyncClient(verify=trust, timeout=_SECONDS) as http:
        try:
            answer = await http.get(issuer + DISCOVERY)
            body = answer.json() if answer.status_code == httpx.codes.OK else {}
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            yield _unreachable(issuer, error)
            return
        found: dict[str, Any] = body if isinstance(body, dict) else {}
        yield _discovery(issuer, answer.status_code, found)
        if "date" in answer.headers:
            yield _clock(answer.headers["date"])
        if "jwks_uri" in found:
            yield await _keys(http, found)
    yield await _certificate(issuer, trust)


def _unreachable(issuer: str, error: Exception) -> Finding:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        fix = "Serve a complete certificate chain for this name that browsers trust. For a local authority, use --ca-file."
        return Finding("issuer", "wrong", f"the certificate of {issuer} is not trusted", fix)
    fix = "Check that the name resolves to the gateway, that the gateway is ready, and that PORTICO_ISSUER is the URL that browsers open."
    return Finding("issuer", "wrong", f"{issuer} does not respond ({type(error).__name__})", fix)


def _discovery(issuer: str, status: int, found: dict[str, Any]) -> Finding:
    if status != httpx.codes.OK:
        fix = "Check the gateway and /readyz of authz, and whether another program listens at this address."
        return Finding("issuer", "wrong", f"{issuer}{DISCOVERY} answers {status}", fix)
    if found.get("issuer") != issuer:
        fix = "Set PORTICO_ISSUER of every service to exactly the URL that browsers open."
        return Finding("issuer", "wrong", f"{issuer} returns the issuer {found.get('issuer')}", fix)
    if urlsplit(issuer).scheme != "https" and not is_loopback(urlsplit(issuer).hostname):
        fix = "Terminate TLS at or in front of the gateway, and set PORTICO_ISSUER to https."
        return Finding(
            "issuer", "wrong", f"{issuer} does not use TLS: passwords and tokens are sent in clear text", fix
        )
    return Finding("issuer", "ok", f"{issuer} returns the expected issuer")


def _clock(date: str) -> Finding:
    skew = abs(parsedate_to_datetime(date).timestamp() - time.time())
    fix = (
        ""
        if skew <= MAX_DIFFERENCE
        else "Synchronize the clocks (NTP). Otherwise tokens are rejected as expired or not yet valid."
    )
    text = f"the clocks of the issuer and of this machine differ by {skew:.0f} s"
    return Finding("issuer clock", "warning" if fix else "ok", text, fix)


async def _keys(http: httpx.AsyncClient, found: dict[str, Any]) -> Finding:
    try:
        published = {key["alg"] for key in (await http.get(found["jwks_uri"])).json()["keys"]}
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
        fix = "Check /readyz of keys. No application can verify a token."
        return Finding("keys", "wrong", f"{found['jwks_uri']} cannot be read ({type(error).__name__})", fix)
    missing = sorted(set(found.get("id_token_signing_alg_values_supported", ())) - published)
    if missing:
        fix = "See the log of keys. `portico keys list` shows the keys, `portico keys rotate` creates another one."
        return Finding("keys", "wrong", f"no key is published for {', '.join(missing)}", fix)
    return Finding("keys", "ok", f"published for {', '.join(sorted(published))}")


async def _certificate(issuer: str, trust: ssl.SSLContext) -> Finding:
    parts = urlsplit(issuer)
    if parts.scheme != "https":
        return Finding("certificate", "ok", "none: the issuer is not https")
    try:
        async with asyncio.timeout(_SECONDS):
            _reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 443, ssl=trust)
    except (OSError, TimeoutError) as error:
        return Finding(
            "certificate",
            "wrong",
            f"cannot be read ({type(error).__name__})",
            "Run the command again. The issuer responded to the request before.",
        )
    days = days_left(writer.get_extra_info("peercert"))
    writer.close()
    fix = "" if days >= DAYS_LEFT else "Renew it, and find out why it is not renewed automatically."
    return Finding("certificate", "warning" if fix else "ok", f"valid for {days:.0f} days", fix)
