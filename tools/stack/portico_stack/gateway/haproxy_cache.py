"""Responses that HAProxy repeats (decision 0108)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from portico_contracts.gateway import CACHED, CACHED_SECONDS

_NAME: Final = "documents"


def cached() -> Iterator[str]:
    """The directives of a backend. Each repeated response has its own request id."""
    yield f"http-request cache-use {_NAME} if {{ path {' '.join(CACHED)} }} !{{ query -m found }}"
    yield "http-response del-header X-Request-Id"
    yield f"http-response cache-store {_NAME}"


def cache() -> tuple[str, list[str]]:
    """The section, with sizes in MiB and bytes."""
    return f"cache {_NAME}", ["total-max-size 1", "max-object-size 65536", f"max-age {CACHED_SECONDS}"]
