"""A program without a person: it gets a token for itself with a private key, and calls the API."""

import os
import sys
from pathlib import Path

import requests
from authlib.integrations.requests_client import AssertionSession

ISSUER = os.environ.get("ISSUER", "http://localhost:8080")
API = os.environ.get("API_URL", "http://localhost:3002")
USER, KEY_ID = "examples-program", "examples-key"
KEY = Path(__file__).with_name("key.pem")

if __name__ == "__main__":
    metadata = requests.get(f"{ISSUER}/.well-known/openid-configuration", timeout=10).json()
    # It signs an assertion (RFC 7523), gets a token with it, and does so again when the token expires.
    session = AssertionSession(
        metadata["token_endpoint"],
        issuer=USER,
        subject=USER,
        audience=ISSUER,
        scope="openid urn:portico:project:id:examples-notes:aud urn:portico:project:roles",
        header={"alg": "EdDSA", "kid": KEY_ID},
        key=KEY.read_text(),
    )
    answer = session.get(f"{API}/notes", timeout=10)
    if not answer.ok:
        sys.exit(f"The API answered {answer.status_code}: {answer.text}")
    print("\n".join(answer.json()))
