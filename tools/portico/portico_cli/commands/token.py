"""``portico token``: gets an access token for a service user by its key file (RFC 7523 section 2.1)."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import httpx
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from portico_contracts.http import TOKEN
from portico_oauth import grant_types
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from portico_runtime.tls.clients import client_context
from portico_stack.running.record import find_running

from portico_cli.terminal.options import DATA, ISSUER, issuer_of
from portico_cli.terminal.output import refuse

LONGEST_SECONDS: Final = 600
"""Programs that need a token for longer should request it themselves."""

DEFAULT_SCOPE: Final = "openid urn:portico:project:id:portico:aud"
"""For the management API."""

_ASSERTION_SECONDS: Final = 60


class KeyFile(NamedTuple):
    user_id: str
    key: SigningKey


class UnreadableKey(ValueError):
    pass


@click.command("token")
@click.option(
    "--as", "user_id", default="", metavar="SERVICE_USER", help="Id of the service user. Required with a PEM file."
)
@click.option(
    "--key",
    "file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Key file of the service user (JSON or PEM).",
)
@click.option("--kid", default="", help="Id of the key. Required with a PEM file.")
@click.option("--scope", default=DEFAULT_SCOPE, show_default=True, help="Scope of the token.")
@click.option(
    "--seconds",
    type=click.IntRange(1, LONGEST_SECONDS),
    default=LONGEST_SECONDS,
    show_default=True,
    help="Token lifetime in seconds.",
)
@ISSUER
@DATA
def token_command(data: Path, user_id: str, file: Path, kid: str, scope: str, seconds: int, issuer: str) -> None:
    """Print an access token for a service user.

    Prints nothing but the token, so that it can be assigned to a variable. The lifetime is at most ten minutes.
    """
    issuer = issuer_of(data, issuer)
    try:
        key_file = read_key_file(file, user_id, kid)
    except UnreadableKey as error:
        refuse(f"refused: {error}")
    running = find_running(data)
    ca_file = running.ca_file if running and running.issuer == issuer else ""
    click.echo(_request(issuer, ca_file, assertion_of(key_file, issuer), scope, seconds))


def read_key_file(file: Path, user_id: str, kid: str) -> KeyFile:
    """Reads the JSON of the management API, or a PEM."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    if not text.lstrip().startswith("{"):
        if not user_id or not kid:
            raise UnreadableKey(
                f"{file} is a PEM file, which has no ids. Set --as to the service user and --kid to the key."
            )
        return KeyFile(user_id, _signing_key(text, kid, file))
    try:
        content: dict[str, Any] = json.loads(text)
        owner, key_id, pem = str(content["userId"]), str(content["keyId"]), str(content["key"])
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableKey(f"{file} is not the key file of a service user.") from error
    if user_id not in ("", owner):
        raise UnreadableKey(f"{file} is the key file of the service user {owner}, not of {user_id}.")
    return KeyFile(owner, _signing_key(pem, key_id, file))


def assertion_of(key_file: KeyFile, issuer: str) -> str:
    now = int(SystemClock().now())
    claims = {
        "iss": key_file.user_id,
        "sub": key_file.user_id,
        "aud": issuer,
        "iat": now,
        "exp": now + _ASSERTION_SECONDS,
        "jti": secrets.token_hex(16),
    }
    return key_file.key.sign(json.dumps(claims).encode())


def _signing_key(pem: str, kid: str, file: Path) -> SigningKey:
    try:
        private = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UnreadableKey(f"{file} does not contain an unencrypted private key in PEM format.") from error
    if isinstance(private, RSAPrivateKey):
        return SigningKey(kid, "RS256", private)
    if isinstance(private, EllipticCurvePrivateKey) and isinstance(private.curve, SECP256R1):
        return SigningKey(kid, "ES256", private)
    if isinstance(private, Ed25519PrivateKey):
        return SigningKey(kid, "EdDSA", private)
    raise UnreadableKey(f"{file} contains an unsupported type of key. Use RSA, P-256 or Ed25519.")


def _request(issuer: str, ca_file: str, assertion: str, scope: str, seconds: int) -> str:
    form = {"grant_type": grant_types.JWT_BEARER, "assertion": assertion, "scope": scope, "expires_in": str(seconds)}
    trust = client_context(ca_file)
    try:
        answer = httpx.post(issuer + TOKEN, data=form, verify=trust, timeout=30)
        found = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        refuse(f"refused: {issuer} does not respond as an issuer ({type(error).__name__}).")
    body: dict[str, Any] = found if isinstance(found, dict) else {}
    if answer.status_code != httpx.codes.OK:
        refuse(
            f"refused: {body.get('error_description', 'no reason was given')} ({body.get('error', answer.status_code)})"
        )
    if not isinstance(token := body.get("access_token"), str):
        refuse(f"refused: {issuer} does not respond as an issuer (no access token).")
    return token
