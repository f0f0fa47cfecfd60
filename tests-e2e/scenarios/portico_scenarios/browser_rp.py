"""A browser-only application with oidc-client or oidc-client-ts, and a server of static files.

oidc-client 1.11.5 is the last certified browser library with the implicit flow; its successor oidc-client-ts
supports the code flow only. Both come from their lock file (`tests-e2e/browser_libraries`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from portico_scenarios.relying_party import Client

LIBRARIES: Final = {
    "oidc-client": "oidc-client/dist/oidc-client.min.js",
    "oidc-client-ts": "oidc-client-ts/dist/browser/oidc-client-ts.min.js",
}
MODULES: Final = Path(__file__).parents[2] / "browser_libraries" / "node_modules"

_PAGE: Final = Path(__file__).with_name("browser_rp.html")


def create_app(issuer: str, client: Client) -> Starlette:
    told = {"authority": issuer, "client_id": client.client_id, "redirect_uri": client.redirect_uri}
    page = _PAGE.read_text(encoding="utf-8").replace("TOLD", json.dumps(told))

    async def show(_request: Request) -> Response:
        return HTMLResponse(page)

    async def library(request: Request) -> Response:
        return FileResponse(MODULES / LIBRARIES[request.path_params["name"]])

    routes = [
        Route("/libraries/{name}.js", library),
        *(Route(path, show) for path in ("/", "/callback", "/signed-out")),
    ]
    return Starlette(routes=routes)
