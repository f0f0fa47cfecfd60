"""HTTP in. Plain Starlette routes: these are the hot paths, and nothing here needs a model to be validated."""

from __future__ import annotations

from portico_contracts.http import TOKEN, USERINFO
from portico_web.surfaces import bearer_json, oauth_json, surfaced
from starlette.routing import Route

from portico_token.token_endpoint import TokenEndpoint
from portico_token.userinfo import Userinfo


def routes(token: TokenEndpoint, userinfo: Userinfo) -> list[Route]:
    """The routes of this service, each with the surface its errors have."""
    return [
        Route(TOKEN, surfaced(token.answer, oauth_json), methods=["POST"]),
        Route(USERINFO, surfaced(userinfo.answer, bearer_json), methods=["GET", "POST"]),
    ]
