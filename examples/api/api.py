"""An API that checks the access tokens Portico issues: signature, issuer, audience, type and roles."""

import json
import os
from functools import cache
from typing import Annotated, Any
from urllib.request import urlopen

import jwt
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.middleware.cors import CORSMiddleware

ISSUER = os.environ.get("ISSUER", "http://localhost:8080")
PROJECT = "examples-notes"
ROLES = f"urn:portico:project:{PROJECT}:roles"

app = FastAPI()
# The single-page application calls from another origin. It sends its token in a header, so no cookies are allowed.
app.add_middleware(
    CORSMiddleware,
    allow_origins=[os.environ.get("SPA_ORIGIN", "http://localhost:3001")],
    allow_methods=["GET", "POST"],
    allow_headers=["Authorization", "Content-Type"],
)
notes = ["Buy milk"]


@cache
def signing_keys() -> jwt.PyJWKClient:
    with urlopen(f"{ISSUER}/.well-known/openid-configuration") as answer:
        return jwt.PyJWKClient(json.load(answer)["jwks_uri"])  # fetches again when it meets an unknown kid


def unauthorized(description: str) -> HTTPException:
    challenge = f'Bearer error="invalid_token", error_description="{description}"'
    return HTTPException(401, description, {"WWW-Authenticate": challenge})


def read_claims(request: Request) -> dict[str, Any]:
    """The claims of a valid access token of this request."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise HTTPException(401, "An access token is required.", {"WWW-Authenticate": "Bearer"})
    try:
        checked = jwt.decode_complete(
            token,
            signing_keys().get_signing_key_from_jwt(token).key,
            algorithms=["RS256", "ES256", "EdDSA"],
            issuer=ISSUER,
            audience=PROJECT,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
    except jwt.PyJWTError:
        raise unauthorized("The access token is invalid.") from None
    if checked["header"].get("typ", "").lower() != "at+jwt":  # an id_token is not an access token (RFC 9068)
        raise unauthorized("The token is not an access token.")
    return checked["payload"]


class Role:
    """A dependency: the caller has a role in the project."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __call__(self, claims: Annotated[dict[str, Any], Depends(read_claims)]) -> dict[str, Any]:
        if self.key not in claims.get(ROLES, {}):
            raise HTTPException(403, f"The role {self.key} is required.")
        return claims


@app.get("/notes")
def read_notes(_caller: Annotated[dict[str, Any], Depends(Role("reader"))]) -> list[str]:
    return notes


@app.post("/notes")
async def add_note(request: Request, caller: Annotated[dict[str, Any], Depends(Role("writer"))]) -> list[str]:
    text = (await request.body()).decode()[:200]
    notes.append(f"{text} ({caller['sub']})")
    return notes
