from __future__ import annotations

import ssl
from typing import Any

import httpx

from portico_harness.eventually import HANGS


def plain_http(base_url: str = "", **options: Any) -> httpx.AsyncClient:
    """Returns a client for http URLs on this machine; it trusts no authority, because reading them takes 40 ms."""
    values = {"trust_env": False, "timeout": HANGS, "verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), **options}
    return httpx.AsyncClient(base_url=base_url, **values)
