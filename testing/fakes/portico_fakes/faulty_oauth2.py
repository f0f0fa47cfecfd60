"""An OAuth 2 provider like GitHub with one switch for each fault."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from portico_oauth.pkce import challenge_of
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse

HOST: Final = "https://hub.example"
API: Final = f"{HOST}/api/v3"
CLIENT_ID: Final = "portico at hub"
CLIENT_SECRET: Final = "a secret of the hub"
ACCESS_TOKEN: Final = "gho_token_of_ada"

FAULTS: Final[dict[str, str]] = {
    "callback: refused": "USER-979",
    "callback: no code": "USER-962",
    "token: not reachable": "USER-961",
    "token: status 500": "USER-961",
    "token: no JSON": "USER-962",
    "token: a list": "USER-962",
    "token: an error with status 200": "USER-979",
    "token: no access token": "USER-962",
    "token: access token as a number": "USER-962",
    "token: access token with a line break": "USER-962",
    "user: not reachable": "USER-961",
    "user: status 500": "USER-961",
    "user: status 401": "USER-962",
    "user: no JSON": "USER-962",
    "user: a list": "USER-962",
    "user: repeated members": "USER-962",
    "user: no id": "USER-633",
    "user: id null": "USER-633",
    "user: id true": "USER-633",
    "user: id as a fraction": "USER-633",
    "user: id as a list": "USER-633",
    "user: id as an object": "USER-633",
    "user: an empty id": "USER-633",
    "user: an endless id": "USER-633",
    "user: id with a line break": "USER-633",
    "emails: not reachable": "USER-961",
    "emails: status 404": "USER-962",
    "emails: no JSON": "USER-962",
    "emails: an object": "USER-962",
}
"""Each fault with its expected error."""

_IDS: Final[dict[str, Any]] = {
    "user: id null": None,
    "user: id true": True,
    "user: id as a fraction": 7.5,
    "user: id as a list": [7],
    "user: id as an object": {"id": 7},
    "user: an empty id": "",
    "user: an endless id": "7" * 256,
    "user: id with a line break": "7\n8",
}
_TOKENS: Final[dict[str, Any]] = {
    "token: access token as a number": 7,
    "token: access token with a line break": "a\r\nX-Other:b",
}


class FaultyOauth2:
    """Validates its client strictly.

    Attributes:
        fault: the active fault; empty for none.
        user: user document.
        emails: email addresses of the user.
    """

    def __init__(self) -> None:
        self.fault = ""
        self.user: dict[str, Any] = {
            "id": 583231,
            "login": "ada",
            "name": "Ada Lovelace",
            "email": "shown@mail.example",
        }
        self.emails: list[Any] = []
        self.asked: list[str] = []
        self.sent: dict[str, str] = {}

    def follow(self, url: str) -> dict[str, str]:
        """Signs a user in at the authorization endpoint; returns the parameters of the callback."""
        self.sent = {name: values[0] for name, values in parse_qs(urlsplit(url).query, strict_parsing=True).items()}
        match self.fault:
            case "callback: refused":
                return {"error": "access_denied", "state": self.sent["state"]}
            case "callback: no code":
                return {"state": self.sent["state"]}
        return {"code": "the-code", "state": self.sent["state"]}

    async def token(self, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        """The token endpoint, whose errors have status 200, like GitHub's."""
        self.asked.append("token")
        right = (fields["client_id"], fields["client_secret"]) == (CLIENT_ID, CLIENT_SECRET)
        right = right and challenge_of(fields["code_verifier"]) == self.sent["code_challenge"]
        right = right and (fields["code"], fields["redirect_uri"]) == ("the-code", self.sent["redirect_uri"])
        if not right or "Authorization" in headers or self.fault == "token: an error with status 200":
            return _json({"error": "bad_verification_code"})
        answer: Any = {"access_token": _TOKENS.get(self.fault, ACCESS_TOKEN), "token_type": "bearer"}
        if self.fault == "token: no access token":
            del answer["access_token"]
        return self._answer("token", answer)

    async def user_document(self, _fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        self.asked.append("user")
        assert headers["Authorization"] == f"Bearer {ACCESS_TOKEN}"
        document = dict(self.user)
        if self.fault in _IDS:
            document["id"] = _IDS[self.fault]
        if self.fault == "user: no id":
            del document["id"]
        return self._answer("user", document)

    async def email_list(self, _fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        self.asked.append("emails")
        assert headers["Authorization"] == f"Bearer {ACCESS_TOKEN}"
        return self._answer("emails", self.emails)

    def _answer(self, what: str, document: Any) -> OutboundResponse:
        fault = self.fault.removeprefix(f"{what}: ")
        if fault == "not reachable":
            raise NoResponse("nothing listens there")
        if fault.startswith("status "):
            return OutboundResponse(int(fault.removeprefix("status ")), b"{}")
        match fault:
            case "no JSON":
                return OutboundResponse(200, b"<html>")
            case "a list":
                return _json([document])
            case "an object":
                return _json({"emails": document})
            case "repeated members":
                return OutboundResponse(200, json.dumps(document).encode()[:-1] + b', "id": 1}')
        return _json(document)


def _json(document: Any) -> OutboundResponse:
    return OutboundResponse(200, json.dumps(document).encode())
