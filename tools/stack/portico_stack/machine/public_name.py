from __future__ import annotations

import re
import ssl
from pathlib import Path
from typing import Final, NamedTuple

from portico_runtime.tls.clients import client_context

LOCALHOST: Final = "localhost"
_LABEL: Final = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_NAME: Final = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*\Z")
_NUMBERS: Final = re.compile(r"[0-9.]+\Z")


class Certificate(NamedTuple):
    """Two PEM files: the certificate with its intermediates, and its key without a passphrase."""

    file: Path
    key: Path


class NameRefused(ValueError):
    pass


def read_host(text: str) -> str:
    """Refuses IP addresses: WebAuthn credentials are bound to a name."""
    name = text.lower()
    if not _NAME.match(name) or _NUMBERS.match(name):
        raise NameRefused(
            f"{text!r} is not a host name: letters, digits and hyphens between dots, at most 253 characters "
            "(names in other scripts as xn--…, no port, no IP address)."
        )
    return name


def read_certificate(file: Path | None, key: Path | None, host: str) -> Certificate | None:
    """Loads the operator's certificate, or None; it must match the key and be valid for the host today."""
    if file is None and key is None:
        return None
    if file is None or key is None:
        raise NameRefused("Set both the certificate and its key, or neither.")
    for path in (file, key):
        try:
            path.read_bytes()
        except OSError as error:
            raise NameRefused(f"{path} cannot be read: {error.strerror}.") from None
    given = Certificate(file.resolve(), key.resolve())
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        server.load_cert_chain(given.file, given.key, password=_no_passphrase)
    except (ssl.SSLError, ValueError) as error:
        raise NameRefused(_what_is_wrong(error, file, key)) from None
    _check_by_handshake(server, given, host)
    return given


def trust(ca_file: Path) -> ssl.SSLContext:
    """Returns the TLS context of our clients: only the certificates of one file, which may be self-signed."""
    return client_context(str(ca_file))


def _check_by_handshake(server: ssl.SSLContext, given: Certificate, host: str) -> None:
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    answering = server.wrap_bio(to_server, to_client, server_side=True)
    asking = trust(given.file).wrap_bio(to_client, to_server, server_hostname=host)
    for side in (asking, answering, asking):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
        except ssl.SSLCertVerificationError as error:
            raise NameRefused(f"{given.file} is not valid for {host}: {error.verify_message}.") from None
        except ssl.SSLError as error:
            raise NameRefused(f"{given.file} cannot be used: {error.reason}.") from None


def _what_is_wrong(error: Exception, file: Path, key: Path) -> str:
    reason = getattr(error, "reason", None) or ""
    if reason == "KEY_VALUES_MISMATCH":
        return f"{key} is not the key of the certificate in {file}."
    return f"{file} and {key} must be a certificate and its key in PEM format, the key without a passphrase."


def _no_passphrase() -> str:
    raise ValueError("the key has a passphrase")
