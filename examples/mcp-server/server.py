"""An MCP server whose tools need an access token that Portico issued for this server."""

import asyncio
import json
import os
from functools import cache
from urllib.request import urlopen

import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer

ISSUER = os.environ.get("ISSUER", "http://localhost:8080")
RESOURCE = os.environ.get("RESOURCE", "http://localhost:3003/mcp")
SCOPE = "notes.read"


@cache
def signing_keys() -> jwt.PyJWKClient:
    with urlopen(f"{ISSUER}/.well-known/openid-configuration") as answer:
        return jwt.PyJWKClient(json.load(answer)["jwks_uri"])  # fetches again when it meets an unknown kid


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


# The SDK serves /.well-known/oauth-protected-resource/mcp (RFC 9728), which names Portico, and points to it in each 401.
server = MCPServer(
    "Notes",
    token_verifier=Verifier(),
    # From text: AnyHttpUrl("http://localhost:8080") would append a slash, and clients compare the issuer exactly.
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
def read_notes() -> str:
    """Returns the notes of the user."""
    token = get_access_token()
    return f"Buy milk ({token.subject if token else ''})"


app = server.streamable_http_app()
