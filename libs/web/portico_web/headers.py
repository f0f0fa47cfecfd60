"""Header sets, prepared once; and headers of a request, read where the server put them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

NO_STORE: Final = {"Cache-Control": "no-store", "Pragma": "no-cache"}
"""On everything that carries a token, a code or the name of an end user (RFC 6749 §5.1)."""

ANY_ORIGIN: Final = {"Access-Control-Allow-Origin": "*"}
"""On public documents: discovery and the key set."""

TRACING_HEADERS: Final = "traceparent, tracestate, baggage, sentry-trace"
"""Request headers that tracing in a page adds to every request; a preflight that forbids one forbids the request."""

PUBLIC_PREFLIGHT: Final = {
    **ANY_ORIGIN,
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": f"If-None-Match, Content-Type, X-Requested-With, {TRACING_HEADERS}",
    "Access-Control-Max-Age": "86400",
}
"""The answer to a preflight of a public document (Fetch §3.2)."""


def find_header(request: Request, name: bytes) -> str | None:
    """The first header of a lower-case name. Starlette's mapping gives the same for ten times the effort."""
    for given, value in request.scope["headers"]:
        if given == name:
            text: str = value.decode("latin-1")
            return text
    return None


def list_headers(request: Request, name: bytes) -> list[str]:
    """Every header of a lower-case name."""
    return [value.decode("latin-1") for given, value in request.scope["headers"] if given == name]


ISOLATED: Final = {"Cross-Origin-Opener-Policy": "same-origin"}
"""On pages of the console and the account. On a page of a sign-in or sign-out it would part a popup from its opener."""


def page_headers(
    *,
    form_uri: str = "",
    any_form: bool = False,
    script_hash: str = "",
    script_uri: str = "",
    ask_uri: str = "",
    image_uri: str = "",
) -> dict[str, str]:
    """The headers of every HTML answer (AZ-08, AZ-17).

    Args:
        form_uri: our own other origin that a form may end at; browsers apply form-action to redirects after a post.
        any_form: no form-action: the form goes to an application, whose answer may redirect anywhere.
        script_hash: ``sha256-…`` of the one script the page may run.
        script_uri: our own address of it, where it is a file.
        ask_uri: our own address that it may send requests to.
        image_uri: address of the one foreign image it shows: the logo an application registered, or a logo served by the issuer.
    """
    form_action = "" if any_form else f"form-action 'self' {_source_of(form_uri)}".rstrip() + "; "
    script_source = f"'{script_hash}'" if script_hash else _file_source_of(script_uri)
    script = f"script-src {script_source}; " if script_source else ""
    ask = f"connect-src {_file_source_of(ask_uri)}; " if ask_uri else ""
    image = f" {_source_of(image_uri)}".rstrip()
    policy = (
        f"default-src 'none'; {script}{ask}style-src 'self'; img-src 'self' data:{image}; font-src 'self'; "
        f"{form_action}object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
    return {
        **NO_STORE,
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }


_HOST_SOURCE: Final = re.compile(r"[A-Za-z0-9.-]+(?::[0-9]{1,5})?\Z")


def _file_source_of(uri: str) -> str:
    """The CSP source of one of our files; where the grammar cannot express its host, anything of ours."""
    if not uri:
        return ""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}{parts.path}" if _HOST_SOURCE.match(parts.netloc) else "'self'"


def _source_of(uri: str) -> str:
    """The CSP source of an address; a host the CSP grammar cannot express (``[::1]``) is replaced by its scheme."""
    parts = urlsplit(uri)
    if parts.scheme in ("http", "https") and _HOST_SOURCE.match(parts.netloc):
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:" if parts.scheme else ""
