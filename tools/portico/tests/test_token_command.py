"""``portico token`` with valid key files, and its errors for invalid ones."""

from __future__ import annotations

import json
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import jwt
import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from portico_cli.cli import main
from portico_cli.commands.token import assertion_of, read_key_file
from portico_stack.machine.ports import free_port

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
ISSUER = "https://id.example.test"


@cache
def private_keys() -> dict[str, PrivateKey]:
    """Returns a key by algorithm; created when first used, because an RSA key takes a tenth of a second."""
    return {
        "RS256": rsa.generate_private_key(65537, 2048),
        "ES256": ec.generate_private_key(ec.SECP256R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate(),
    }


def pem_of(key: PrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def key_file(folder: Path, **changes: object) -> Path:
    content = {
        "type": "serviceaccount",
        "keyId": "k1",
        "key": pem_of(private_keys()["RS256"]),
        "userId": "nightly",
        **changes,
    }
    file = folder / "nightly.json"
    file.write_text(json.dumps(content))
    return file


def portico_token(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["token", *(str(one) for one in arguments)], env={"PORTICO_ISSUER": ISSUER})


def test_assertion_is_built_from_the_key_file(tmp_path: Path) -> None:
    """The assertion has the key, ids and audience of RFC 7523, a lifetime of a minute, and a unique jti (JW-12)."""
    read = read_key_file(key_file(tmp_path), "nightly", "")
    first, second = [
        jwt.decode(
            assertion_of(read, ISSUER), private_keys()["RS256"].public_key(), algorithms=["RS256"], audience=ISSUER
        )
        for _ in range(2)
    ]

    assert jwt.get_unverified_header(assertion_of(read, ISSUER))["kid"] == "k1"
    assert (first["iss"], first["sub"], first["exp"] - first["iat"]) == ("nightly", "nightly", 60)
    assert first["jti"] != second["jti"]


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
def test_pem_determines_the_algorithm(tmp_path: Path, alg: str) -> None:
    """A PEM file signs with its key type's algorithm, and its ids are given as options."""
    file = tmp_path / "key.pem"
    file.write_text(pem_of(private_keys()[alg]))
    signed = assertion_of(read_key_file(file, "nightly", "k2"), ISSUER)

    assert jwt.get_unverified_header(signed) == {"alg": alg, "kid": "k2", "typ": "JWT"}
    assert jwt.decode(signed, private_keys()[alg].public_key(), algorithms=[alg], audience=ISSUER)["sub"] == "nightly"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("{", (), "is not the key file of a service user"),
        ('{"type":"application","keyId":"k","key":"k","clientId":"c"}', (), "is not the key file of a service user"),
        ('{"keyId":"k","key":"canary","userId":"u"}', (), "does not contain an unencrypted private key in PEM format"),
        ("canary", (), "Set --as to the service user and --kid to the key"),
        ("canary", ("--as", "u", "--kid", "k"), "does not contain an unencrypted private key in PEM format"),
        (
            pem_of(ec.generate_private_key(ec.SECP384R1())),
            ("--as", "u", "--kid", "k"),
            "contains an unsupported type of key",
        ),
    ],
)
def test_invalid_file_is_one_message(tmp_path: Path, text: str, options: tuple[str, ...], words: str) -> None:
    """An invalid file gives status 1 and a message without the file's content."""
    file = tmp_path / "key"
    file.write_text(text)
    result = portico_token("--key", file, *options)

    assert result.exit_code == 1
    assert words in result.output
    assert "canary" not in result.output
    assert "Traceback" not in result.output


def test_key_file_of_another_user_is_refused(tmp_path: Path) -> None:
    """A key file of another service user than the named one is refused."""
    result = portico_token("--as", "daily", "--key", key_file(tmp_path))

    assert result.exit_code == 1
    assert "is the key file of the service user nightly, not of daily" in result.output


@pytest.mark.parametrize("seconds", ["0", "601", "3600"])
def test_lifetime_is_at_most_ten_minutes(tmp_path: Path, seconds: str) -> None:
    """A printed token may stay in terminals and logs, so more than ten minutes are refused."""
    result = portico_token("--key", key_file(tmp_path), "--seconds", seconds)

    assert result.exit_code == 2
    assert "1<=x<=600" in result.output


def test_unreachable_issuer_is_one_message(tmp_path: Path) -> None:
    """An unreachable issuer gives status 1 without a traceback, and a missing issuer is wrong usage."""
    file = key_file(tmp_path)
    silent = portico_token("--key", file, "--issuer", f"http://localhost:{free_port()}")
    none = CliRunner().invoke(main, ["token", "--key", str(file), "--data", str(tmp_path)])

    assert silent.exit_code == 1
    assert "does not respond as an issuer" in silent.output
    assert none.exit_code == 2
    assert "--issuer or PORTICO_ISSUER" in none.output


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (200, ["no object"], "does not respond as an issuer (no access token)"),
        (200, {"token": "of another API"}, "does not respond as an issuer (no access token)"),
        (404, "not found", "no reason was given (404)"),
    ],
)
def test_server_that_is_no_issuer_is_one_message(tmp_path: Path, status: int, body: object, words: str) -> None:
    """The URL of another server is a likely mistake."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        answering = threading.Thread(target=server.handle_request)
        answering.start()
        result = portico_token("--key", key_file(tmp_path), "--issuer", f"http://127.0.0.1:{server.server_port}")
        answering.join()

    assert (result.exit_code, result.stdout) == (1, "")
    assert words in result.stderr


def test_key_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Editors of Windows write one, and the file is still JSON."""
    file = key_file(tmp_path)
    file.write_text(f"\ufeff{file.read_text()}")

    assert read_key_file(file, "", "").user_id == "nightly"
