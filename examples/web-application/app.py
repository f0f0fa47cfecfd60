"""A web application on a server: people sign in with Portico, and it calls the API with their access token."""

import os
import secrets
from html import escape
from typing import Any
from urllib.parse import urlencode

from authlib.integrations.starlette_client import OAuth, OAuthError
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

ISSUER = os.environ.get("ISSUER", "http://localhost:8080")
HOME = os.environ.get("HOME_URL", "http://localhost:3000")
API = os.environ.get("API_URL", "http://localhost:3002")

app = FastAPI()
# Several processes, and restarts, need one key: set SESSION_KEY.
app.add_middleware(
    SessionMiddleware, secret_key=os.environ.get("SESSION_KEY") or os.urandom(32).hex(), session_cookie="notes_session"
)
# Tokens stay on the server, since they are too large for a cookie. With several processes, keep them in a database.
sessions: dict[str, dict[str, Any]] = {}


async def keep_token(token: dict[str, Any], refresh_token: str | None = None, **_: Any) -> None:
    """Authlib refreshed an access token that had expired; a refresh token works once, so the new one is kept."""
    for session in sessions.values():
        if session["token"].get("refresh_token") == refresh_token:
            session["token"] = {**session["token"], **token}


portico = OAuth(update_token=keep_token).register(
    "portico",
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    client_id="examples-web",
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={
        "scope": "openid profile offline_access urn:portico:project:roles",
        "code_challenge_method": "S256",
        "token_endpoint_auth_method": "client_secret_basic",
    },
)


@app.get("/")
async def home(request: Request) -> HTMLResponse:
    session = sessions.get(request.session.get("id", ""))
    if session is None:
        return HTMLResponse('<a href="/login">Sign in</a>')
    answer = await portico.get(f"{API}/notes", token=session["token"])
    notes = answer.json() if answer.status_code == 200 else [f"The API answered {answer.status_code}."]
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return HTMLResponse(
        f"<p>Hello {escape(session['user']['name'])}</p><ul>{items}</ul>"
        '<form method="post" action="/logout"><button>Sign out</button></form>'
    )


@app.get("/login")
async def login(request: Request) -> RedirectResponse:
    return await portico.authorize_redirect(request, f"{HOME}/callback")


@app.get("/callback")
async def callback(request: Request) -> RedirectResponse:
    try:
        # Compares state, redeems the code with the PKCE verifier, and checks the id_token and its nonce.
        token = await portico.authorize_access_token(request)
    except OAuthError as error:
        return HTMLResponse(f"Not signed in: {escape(error.description or error.error)}", 400)
    user = await portico.userinfo(token=token)
    request.session.clear()
    request.session["id"] = secrets.token_urlsafe(32)  # a new id at each sign-in prevents session fixation
    sessions[request.session["id"]] = {"user": dict(user), "token": dict(token)}
    return RedirectResponse("/", 303)


@app.post("/logout")
async def logout(request: Request) -> RedirectResponse:
    session = sessions.pop(request.session.get("id", ""), None)
    request.session.clear()
    if session is None:
        return RedirectResponse("/", 303)
    metadata = await portico.load_server_metadata()
    query = {"id_token_hint": session["token"]["id_token"], "post_logout_redirect_uri": f"{HOME}/"}
    return RedirectResponse(f"{metadata['end_session_endpoint']}?{urlencode(query)}", 303)
