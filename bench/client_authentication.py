"""How a client shows who it is, as headers and form fields for requests that are prepared once."""

from __future__ import annotations

import base64
from urllib.parse import quote

from portico_journeys.relying_party import Client

FORM = "application/x-www-form-urlencoded"


def credentials(client: Client) -> tuple[dict[str, str], dict[str, str]]:
    """Headers and form fields of a token request (RFC 6749 §2.3.1)."""
    headers = {"Content-Type": FORM}
    if client.auth_method == "client_secret_basic":
        pair = f"{quote(client.client_id, safe='')}:{quote(client.secret, safe='')}"
        return {**headers, "Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}, {}
    if client.auth_method == "client_secret_post":
        return headers, {"client_id": client.client_id, "client_secret": client.secret}
    return headers, {"client_id": client.client_id}
