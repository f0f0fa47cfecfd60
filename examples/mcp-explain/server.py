"""An MCP server that explains an installation: why something was refused, who may do what, and what changed.

It only reads, with the permissions of the administrator who asks. The token of the MCP client is for this server alone
and is never passed on: Portico's API would refuse it. The administrator signs in to the API separately, once.
"""

import asyncio
import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer

ISSUER = os.environ.get("ISSUER", "http://localhost:8080")
RESOURCE = os.environ.get("RESOURCE", "http://localhost:3004/mcp")
READER = os.environ.get("READER", "examples-explain-reader")
SCOPE = "explain.read"
MANAGEMENT = "openid urn:portico:project:id:portico:aud"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@cache
def discovered() -> dict:
    with urlopen(f"{ISSUER}/.well-known/openid-configuration") as answer:
        return json.load(answer)


@cache
def signing_keys() -> jwt.PyJWKClient:
    return jwt.PyJWKClient(discovered()["jwks_uri"])  # fetches again when it meets an unknown kid


class Verifier:
    """Accepts access tokens for this server only: `aud` is the resource that the client named (RFC 8707)."""

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            return await asyncio.to_thread(self._verify, token)
        except jwt.PyJWTError:
            return None

    def _verify(self, token: str) -> AccessToken | None:
        checked = jwt.decode_complete(
            token,
            signing_keys().get_signing_key_from_jwt(token).key,
            algorithms=["RS256", "ES256", "EdDSA"],
            issuer=ISSUER,
            audience=RESOURCE,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
        if checked["header"].get("typ", "").lower() != "at+jwt":  # an id_token is not an access token (RFC 9068)
            return None
        claims = checked["payload"]
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            scopes=claims.get("scope", "").split(),
            expires_at=claims["exp"],
            resource=RESOURCE,
            subject=claims["sub"],
            claims=claims,
        )


@dataclass
class Reader:
    """The sign-in of one administrator to the management API, in memory and without a refresh token."""

    device_code: str = ""
    address: str = ""
    token: str = ""
    until: float = 0.0


READERS: dict[str, Reader] = {}
"""By the user who asks, so that each reads with their own permissions."""


class AskFirst(Exception):
    """The administrator has to open an address first."""


def post(endpoint: str, form: dict[str, str]) -> dict:
    try:
        with urlopen(Request(endpoint, urlencode(form).encode(), method="POST")) as answer:
            return json.load(answer)
    except HTTPError as error:
        return json.load(error)


def token_of(user_id: str) -> str:
    """Returns the user's token for the management API. Raises AskFirst until that user has signed in."""
    reader, now = READERS.setdefault(user_id, Reader()), time.time()
    if reader.token and now < reader.until:
        return reader.token
    if reader.device_code:
        form = {"grant_type": DEVICE, "client_id": READER, "device_code": reader.device_code}
        answer = post(discovered()["token_endpoint"], form)
        if "access_token" in answer:
            READERS[user_id] = reader = Reader()  # a code works once, whoever used it
            require_same_user(answer["access_token"], user_id)
            reader.token, reader.until = answer["access_token"], now + answer["expires_in"] - 30
            return reader.token
        if answer.get("error") in ("authorization_pending", "slow_down"):
            raise AskFirst(f"Open {reader.address}, sign in, and ask again.")
    begun = post(discovered()["device_authorization_endpoint"], {"client_id": READER, "scope": MANAGEMENT})
    if "device_code" not in begun:
        raise AskFirst(f"The sign-in to the management API cannot begin: {begun.get('error_description', '')}")
    READERS[user_id] = Reader(begun["device_code"], begun["verification_uri_complete"])
    raise AskFirst(f"Open {begun['verification_uri_complete']}, sign in, and ask again.")


def require_same_user(token: str, user_id: str) -> None:
    request = Request(discovered()["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
    with urlopen(request) as answer:
        if json.load(answer)["sub"] != user_id:
            raise AskFirst("Another user signed in. Sign in as the user who uses this server, and ask again.")


def read(path: str, body: dict | None = None) -> dict:
    """Calls a reading operation of the management API as the user who asks; its refusals are answers, too."""
    caller = get_access_token()
    token = token_of(caller.subject if caller and caller.subject else "")
    request = Request(
        f"{ISSUER}{path}",
        None if body is None else json.dumps(body).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise AskFirst(json.load(error).get("message", "The management API refused the request.")) from None


# The SDK serves /.well-known/oauth-protected-resource/mcp (RFC 9728), which names Portico, and points to it in each 401.
server = MCPServer(
    "Explanations",
    token_verifier=Verifier(),
    auth=AuthSettings.model_validate(
        {
            "issuer_url": ISSUER,
            "resource_server_url": RESOURCE,
            "required_scopes": [SCOPE],
            "validate_token_resource": True,
        }
    ),
)


@server.tool()
async def why_refused(request_id: str) -> str:
    """Explains why a request was refused. The page of the error and the header X-Request-Id show the request id."""
    return await explained(_why_refused, request_id)


@server.tool()
async def who_may(permission: str) -> str:
    """Lists the administrators of your organization with a role whose name has this text, such as OWNER or USER."""
    return await explained(_who_may, permission)


@server.tool()
async def what_changed(hours: int = 24) -> str:
    """Lists what changed in the last hours (24 by default, at most 30 days), the latest first, with who did it."""
    return await explained(_what_changed, hours)


@server.tool()
async def which_agents(host: str = "") -> str:
    """Lists which agents may act for users of your organization, at which APIs, and when they last did."""
    return await explained(_which_agents, host)


async def explained(tool, argument) -> str:
    try:
        return await asyncio.to_thread(tool, argument)
    except AskFirst as answer:
        return str(answer)


def _why_refused(request_id: str) -> str:
    trace = read(f"/management/v1/traces/{quote(request_id, safe='')}")["trace"]
    lines = [f"{trace.get('errorId', 'No error')}: {trace.get('text', '')} {trace.get('fix', '')}".strip()]
    for check in trace.get("checks", []):
        lines.append(f"- {json.dumps(check, ensure_ascii=False)}")
    return "\n".join(lines)


def _who_may(permission: str) -> str:
    members = read("/management/v1/orgs/me/members/_search", {"query": {"limit": 200}}).get("result", [])
    wanted = permission.upper()
    found = [one for one in members if any(wanted in role for role in one.get("roles", []))]
    names = [f"- {one.get('displayName') or one['userId']}: {', '.join(one['roles'])}" for one in found]
    return "\n".join(names) or "No administrator of your organization has such a role."


def _what_changed(hours: int) -> str:
    since = datetime.now(UTC) - timedelta(hours=min(max(hours, 1), 720))
    asked = {"since": since.isoformat().replace("+00:00", "Z"), "query": {"limit": 100}}
    events = read("/management/v1/events/_search", asked).get("result", [])
    return "\n".join(f"- {one['creationDate']} {one['summary']}" for one in events) or "Nothing changed."


def _which_agents(host: str) -> str:
    asked = {"host": host, "query": {"limit": 100}}
    lines = []
    for one in read("/management/v1/agents/_search", asked).get("result", []):
        at = sorted({scope.get("apiName") or scope["apiClientId"] for scope in one.get("apiScopes", [])})
        used = one.get("lastUsed", "never")
        lines.append(
            f"- {one.get('name') or one['clientId']} for {one.get('userName') or one['userId']}"
            f" at {', '.join(at) or 'no API'}, since {one['since']}, last used: {used}"
        )
    return "\n".join(lines) or "No agent may act for a user of your organization."


app = server.streamable_http_app()
