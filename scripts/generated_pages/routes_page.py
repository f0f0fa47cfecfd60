"""docs/generated/routes.md: the paths that the gateway exposes."""

from __future__ import annotations

from typing import Final

from portico_contracts.http import GATEWAY, Surface

from generated_pages.markdown import code, page_of, table

_LOOKS: Final = {
    Surface.OAUTH_JSON: "OAuth JSON",
    Surface.PAGE: "page",
    Surface.RPC_STATUS: "google.rpc.Status",
}


def routes_page() -> str:
    rows = (
        [code(route.path), route.service, _LOOKS[route.surface], f"{route.max_body // 1024} KiB"] for route in GATEWAY
    )
    return page_of(
        "Routes",
        "From `libs/contracts/portico_contracts/http.py`. The gateway rejects all other paths.",
        table(["Path", "Service", "Error format", "Largest body"], rows),
    )
