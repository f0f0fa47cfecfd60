"""Addresses where browsers and password managers look for the pages of passwords and passkeys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.http import ACCOUNT_SECURITY, CHANGE_PASSWORD, NEW_PASSKEY, PASSKEY_ENDPOINTS, RELATED_ORIGINS
from portico_oauth.errors import PATH_NOT_FOUND
from portico_web.surfaces import oauth_json, render_errors
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

_READ: Final = ["GET", "HEAD"]
_SHORT: Final = "public, max-age=300"


def well_known_routes(issuer: str, origins: tuple[str, ...]) -> list[Route]:
    """`origins` are those of other hosts whose pages use the passkeys; without any there is no such document."""
    endpoints = {"enroll": f"{issuer}{NEW_PASSKEY}", "manage": f"{issuer}{ACCOUNT_SECURITY}"}

    async def change_password(_request: Request) -> Response:
        return RedirectResponse(f"{issuer}{ACCOUNT_SECURITY}#password", status_code=303)

    return [
        Route(CHANGE_PASSWORD, render_errors(change_password, oauth_json), methods=_READ),
        _document(PASSKEY_ENDPOINTS, endpoints),
        _document(RELATED_ORIGINS, {"origins": [issuer, *origins]} if origins else None),
    ]


def _document(path: str, members: Mapping[str, object] | None) -> Route:
    """Readable by any page: browsers and password managers request it."""

    async def serve(_request: Request) -> Response:
        if members is None:
            raise PATH_NOT_FOUND.error()
        return JSONResponse(members, headers={"Access-Control-Allow-Origin": "*", "Cache-Control": _SHORT})

    return Route(path, render_errors(serve, oauth_json), methods=_READ)
