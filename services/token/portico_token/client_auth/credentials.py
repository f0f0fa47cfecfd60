"""What a request presents to authenticate its client, and the one mechanism found in it (TK-14, TK-17)."""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote_plus

import msgspec
from portico_contracts.diagnostics import Hint
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_web.headers import list_headers
from starlette.requests import Request

from portico_token.assertions.verification import parties_of
from portico_token.domain.clients import ALIAS, CERTIFICATE, CLIENT_AUTHENTICATION

SEVERAL_MECHANISMS = ErrorCode(
    "TOKEN-010",
    Kind.INVALID_REQUEST,
    "The request uses more than one client authentication mechanism.",
    "Authenticate the client in exactly one way.",
)
INCOMPLETE_CREDENTIALS = ErrorCode(
    "TOKEN-011",
    Kind.INVALID_REQUEST,
    "The client authentication is incomplete.",
    "Send client_secret with client_id, and client_assertion with client_assertion_type.",
)
CLIENT_IDS_DIFFER = ErrorCode(
    "TOKEN-012",
    Kind.INVALID_REQUEST,
    "The client_id in the body differs from the one in the Authorization header.",
    "Omit client_id in the body, or send the same one.",
)
NO_CLIENT = ErrorCode(
    "TOKEN-013",
    Kind.INVALID_CLIENT,
    "No client authentication was sent.",
    "Authenticate the client, or send client_id.",
)
UNREADABLE_HEADER = ErrorCode(
    "TOKEN-014",
    Kind.INVALID_CLIENT,
    "The Authorization header contains no valid Basic credentials.",
    "Send Basic and the base64 of the form-encoded id and secret, joined by a colon.",
)

ASSERTION_OF_ANOTHER = ErrorCode(
    "TOKEN-105",
    Kind.INVALID_REQUEST,
    "The client_id in the body differs from the issuer of the assertion.",
    "Omit client_id in the body, or send the same one.",
)
UNKNOWN_ASSERTION_TYPE = ErrorCode(
    "TOKEN-106",
    Kind.INVALID_REQUEST,
    "Unknown client_assertion_type.",
    "Send urn:ietf:params:oauth:client-assertion-type:jwt-bearer.",
)

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_IS_URL: Final = "://"
"""In the issuer of a token that is not by the client itself. Client ids of metadata documents have it too."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")

CLIENT_PARAMETERS: Final = frozenset({"client_id", "client_secret", "client_assertion", "client_assertion_type"})


class Presented(msgspec.Struct, frozen=True):
    """Everything a client may authenticate with, as it was sent: every Authorization header, and the form.

    The endpoints pass it as one value, so that a method that reads more of the request adds a field here.
    `certificate` is that of the TLS connection, in DER, and `alias` the base URL by which such a connection reaches us;
    both only from the gateway (`client_certificates/from_gateway.py`).
    """

    authorization: Sequence[str]
    form: Parameters
    certificate: bytes = b""
    alias: str = ""

    def __repr__(self) -> str:
        """Omits the fields, which are secret."""
        return "Presented(...)"


def presented_in(request: Request, form: Parameters) -> Presented:
    scope = request.scope
    certificate, alias = scope.get(CERTIFICATE, b""), scope.get(ALIAS, "")
    return Presented(list_headers(request, b"authorization"), form, certificate, alias)


@dataclass(frozen=True, slots=True)
class BasicSecret:
    """RFC 6749 section 2.3.1; `secrets` are form-decoded, and unchanged where that differs."""

    client_id: str
    secrets: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PostSecret:
    client_id: str
    secrets: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ClientAssertion:
    """A signed JWT (RFC 7523 section 2.2); the id is its issuer, empty if absent."""

    client_id: str
    assertion: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class WorkloadToken:
    """A JWT of another issuer (RFC 7521 section 4.2); the id is `client_id`, or the subject without one."""

    client_id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IdOnly:
    client_id: str


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    """A client id in the body, and the certificate of the TLS connection in DER (RFC 8705 section 2)."""

    client_id: str
    certificate: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SelfSignedCertificate(ClientCertificate):
    """The same of a client that registered the key of its certificate (RFC 8705 section 2.2)."""


Credentials = BasicSecret | PostSecret | ClientAssertion | IdOnly | ClientCertificate | SelfSignedCertificate
"""Of the methods that applications register; a token of another issuer needs none (`by_workload.py`)."""


def authentication_error(error_code: ErrorCode, **private: Any) -> ServiceError:
    """The error for client authentication that is missing, or cannot be read."""
    hint = Hint.MISSING if error_code is NO_CLIENT else Hint.MALFORMED
    return error_code.error(compared=Compared(CLIENT_AUTHENTICATION, hint=hint), **private)


def find_credentials(presented: Presented) -> Credentials | WorkloadToken:
    authorization, form = presented.authorization, presented.form
    if len(authorization) > 1:
        raise authentication_error(SEVERAL_MECHANISMS, headers=len(authorization))
    header = authorization[0] if authorization else None
    match (
        header,
        form.get("client_id"),
        form.get("client_secret"),
        form.get("client_assertion_type"),
        form.get("client_assertion"),
    ):
        case (None, None, None, None, None):
            raise authentication_error(NO_CLIENT)
        case (str(value), client_id, None, None, None):
            return _basic(value, client_id)
        case (None, str(client_id), str(secret), None, None):
            return PostSecret(client_id, (secret,))
        case (None, client_id, None, str(assertion_type), str(assertion)):
            return _assertion(assertion_type, assertion, client_id)
        case (None, str(client_id), None, None, None):
            certificate = presented.certificate
            return ClientCertificate(client_id, certificate) if certificate else IdOnly(client_id)
        case (None, None, str(), None, None) | (None, _, None, _, _):
            raise authentication_error(INCOMPLETE_CREDENTIALS)
        case _:
            raise authentication_error(SEVERAL_MECHANISMS)


def _basic(header: str, client_id: str | None) -> BasicSecret | IdOnly:
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        # A client that omits the scheme sends the credential in its place, so only its length is logged (IN-09).
        raise authentication_error(UNREADABLE_HEADER, scheme_length=len(scheme))
    found = _decoded(encoded.lstrip(" "))
    if client_id is not None and client_id != found.client_id:
        raise authentication_error(CLIENT_IDS_DIFFER)
    return found


def _assertion(assertion_type: str, assertion: str, client_id: str | None) -> ClientAssertion | WorkloadToken:
    """Returns the assertion with its unverified issuer; client_id may be omitted (RFC 7521 section 4.2)."""
    if assertion_type != ASSERTION_TYPE:
        raise authentication_error(UNKNOWN_ASSERTION_TYPE, type_length=len(assertion_type))
    issuer, subject = parties_of(assertion)
    if _IS_URL in issuer and issuer != (subject if client_id is None else client_id):
        return WorkloadToken(subject if client_id is None else client_id, assertion)
    if issuer and client_id is not None and client_id != issuer:
        raise authentication_error(ASSERTION_OF_ANOTHER)
    return ClientAssertion(issuer, assertion)


def workload_token_in(text: str, client_id: str | None) -> WorkloadToken | str:
    """The assertion of the JWT profile grant as a token of another issuer; its issuer where that is no URL."""
    issuer, subject = parties_of(text)
    return WorkloadToken(subject if client_id is None else client_id, text) if _IS_URL in issuer else issuer


def _decoded(encoded: str) -> BasicSecret | IdOnly:
    """An empty secret counts as absent: public clients of some libraries send it (RFC 6749 section 2.3.1)."""
    try:
        text = binascii.a2b_base64(encoded, strict_mode=True).decode("utf-8")
    except (binascii.Error, ValueError) as error:  # UnicodeDecodeError is a ValueError
        raise authentication_error(UNREADABLE_HEADER) from error
    client_id, colon, secret = text.partition(":")
    client_ids, secrets = _readings(client_id), _readings(secret)
    if not colon or not client_id or _CONTROL.search("".join((*client_ids, *secrets))):
        raise authentication_error(UNREADABLE_HEADER)
    return BasicSecret(client_ids[0], secrets) if secret else IdOnly(client_ids[0])


def _readings(text: str) -> tuple[str, ...]:
    """Form-decoded, and unchanged where that differs: many programs send it unencoded, as `curl -u` does."""
    readings = [text]
    if "%" in text or "+" in text:
        with suppress(UnicodeDecodeError):
            readings.insert(0, unquote_plus(text, errors="strict"))
    return tuple(dict.fromkeys(readings))
