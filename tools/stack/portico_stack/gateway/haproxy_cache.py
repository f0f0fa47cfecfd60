"""Responses that HAProxy repeats (decision 0108)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from portico_contracts.gateway import CACHED, CACHED_SECONDS

_NAME: Final = "documents"
_REPEATED: Final = "{ var(txn.repeated) -m bool }"


def cached() -> Iterator[str]:
    """The directives of a backend. Each repeated response has its own request id.

    A response that depends on the origin is neither repeated nor stored (decision 0118). HAProxy stores no response
    with ``Vary: Origin``, so the header is absent from what is stored.
    """
    path, query, origin = f"{{ path {' '.join(CACHED)} }}", "{ query -m found }", "{ req.fhdr(Origin) -m found }"
    yield f"http-request set-var(txn.repeated) bool(true) if {path} !{query} !{origin}"
    yield f"http-request cache-use {_NAME} if {_REPEATED}"
    yield "http-response del-header X-Request-Id"
    yield f"http-response del-header Vary if {_REPEATED} {{ res.fhdr(Vary) -m str Origin }}"
    yield f"http-response cache-store {_NAME}"
    yield f"http-response set-header Vary Origin if {_REPEATED} !{{ res.fhdr(Vary) -m found }}"


def cache() -> tuple[str, list[str]]:
    """The section, with sizes in MiB and bytes."""
    return f"cache {_NAME}", ["total-max-size 1", "max-object-size 65536", f"max-age {CACHED_SECONDS}"]
