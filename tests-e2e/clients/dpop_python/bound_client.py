"""A relying party with requests-oauth2client, which binds its tokens to a key (RFC 9449), for one user at a time.

Settings come from the environment: ISSUER, CLIENT_ID, CLIENT_SECRET, URL.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import urlsplit

from requests_oauth2client import ApiClient, OAuth2Client  # type: ignore[import-not-found]

ISSUER, URL = os.environ["ISSUER"], os.environ["URL"]

client = OAuth2Client.from_discovery_endpoint(
    issuer=ISSUER,
    auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]),
    redirect_uri=f"{URL}/cb",
    dpop_bound_access_tokens=True,
    testing=True,
)
state: dict[str, Any] = {}


def name_of_user() -> str:
    answer = ApiClient(ISSUER, auth=state["tokens"]).get("oidc/v1/userinfo")
    return str(answer.json()["name"])


def login(_path: str) -> tuple[int, str]:
    state["asked"] = client.authorization_request(scope="openid profile offline_access")
    return 303, str(state["asked"])


def callback(path: str) -> tuple[int, str]:
    answer = state["asked"].validate_callback(f"{URL}{path}")
    # 1.8.0 fails where it validates an id_token beside a bound token; the name comes from userinfo.
    state["tokens"] = client.authorization_code(answer, validate=False)
    state["name"] = name_of_user()
    return 303, URL


def refresh(_path: str) -> tuple[int, str]:
    state["tokens"] = client.refresh_token(state["tokens"])
    return 200, f"Hello again {name_of_user()}"


PAGES: dict[str, Callable[[str], tuple[int, str]]] = {
    "/": lambda _path: (200, f"Hello {state.get('name')}"),
    "/login": login,
    "/cb": callback,
    "/refresh": refresh,
    "/type": lambda _path: (200, state["tokens"].token_type),
}


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        try:
            status, text = PAGES[urlsplit(self.path).path](self.path)
        except Exception as error:
            status, text = 502, repr(error)
        self.send_response(status)
        if status == 303:
            self.send_header("Location", text)
        self.end_headers()
        self.wfile.write(text.encode() if status != 303 else b"")


HTTPServer(("localhost", urlsplit(URL).port or 80), Pages).serve_forever()
