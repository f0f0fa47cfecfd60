"""Client-ID metadata documents: what is accepted of them (RFC 7591 section 2; the draft's section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, cast
from unicodedata import category
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from portico_contracts.users import AuthMethod, Dpop
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN
from portico_oauth.redirect_uris import may_register

from portico_users.applications.client_keys.assertion_keys import AssertionKey, jwk_of, key_of, thumbprint
from portico_users.identity_providers.federation.verification_keys import read_key_set
from portico_users.values.names import is_id

UNUSABLE = ErrorCode(
    "USER-895",
    Kind.INVALID_CLIENT,
    "The client-ID metadata document cannot be used.",
    "Serve one JSON object of at most 10 KiB with status 200, with exactly its URL as client_id, and with redirect URIs"
    " of the same host or of a loopback address. The log has the cause.",
)

MAX_BYTES: Final = 10 * 1024
MAX_KEY_SET: Final = 64 * 1024
_MAX_NAME: Final = 80
_MAX_URIS: Final = 50
_GRANTS: Final = (AUTHORIZATION_CODE, REFRESH_TOKEN)
_METHODS: Final = {one.value: one for one in (AuthMethod.NONE, AuthMethod.PRIVATE_KEY_JWT)}
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class ClientDocument(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`jwks_uri` is empty unless keys still have to be fetched from it."""

    name: str
    redirect_uris: tuple[str, ...]
    auth_method: AuthMethod
    grant_types: tuple[str, ...]
    keys: tuple[AssertionKey, ...] = ()
    jwks_uri: str = ""
    dpop: Dpop = Dpop.OFF


def read_client_document(client_id: str, members: dict[str, object]) -> ClientDocument:
    """Raises USER-895. Unknown members, grant types and redirect URIs that cannot be used are ignored."""
    if members.get("client_id") != client_id:
        raise unusable("another client_id", named=str(members.get("client_id"))[:200])
    if "client_secret" in members or "client_secret_expires_at" in members:
        raise unusable("a secret")
    method = members.get("token_endpoint_auth_method", AuthMethod.NONE.value)
    if not isinstance(method, str) or method not in _METHODS:
        raise unusable("token_endpoint_auth_method")
    redirect_uris = tuple(_redirect_uris(client_id, members.get("redirect_uris")))
    if not redirect_uris:
        raise unusable("no redirect URI that can be used")
    grants = members.get("grant_types", ())
    keys, jwks_uri = _keys_of(client_id, members) if method == AuthMethod.PRIVATE_KEY_JWT else ((), "")
    return ClientDocument(
        name=_name_of(client_id, members.get("client_name")),
        redirect_uris=redirect_uris,
        auth_method=_METHODS[method],
        grant_types=tuple(
            grant for grant in _GRANTS if grant == AUTHORIZATION_CODE or (isinstance(grants, list) and grant in grants)
        ),
        keys=keys,
        jwks_uri=jwks_uri,
        dpop=Dpop.REQUIRED if members.get("dpop_bound_access_tokens") is True else Dpop.OFF,
    )


def read_keys(document: dict[str, object]) -> tuple[AssertionKey, ...]:
    """Returns the keys of a JWK set that can sign client assertions. Raises USER-895 if there is none."""
    try:
        found = read_key_set(document)
    except ServiceError:
        raise unusable("jwks") from None
    keys = tuple(_assertion_keys((key.kid, cast("PublicKeyTypes", key.public), key.algorithms) for key in found))
    if not keys:
        raise unusable("no key that can be used")
    return keys


def unusable(cause: str, **private: Any) -> ServiceError:
    return UNUSABLE.error(cause=cause, **private)


def _redirect_uris(client_id: str, found: object) -> Iterator[str]:
    if not isinstance(found, list) or len(found) > _MAX_URIS:
        return
    host = urlsplit(client_id).netloc.lower()
    for uri in dict.fromkeys(one for one in found if isinstance(one, str)):
        if not may_register(uri):
            continue
        parts = urlsplit(uri)
        # Plain http passes the rule above for loopback addresses only.
        if parts.scheme == "http" or (parts.scheme == "https" and parts.netloc.lower() == host):
            yield uri


def _name_of(client_id: str, found: object) -> str:
    name = found.strip() if isinstance(found, str) else ""
    plain = 0 < len(name) <= _MAX_NAME and not any(category(letter) in _INVISIBLE for letter in name)
    return name if plain else host_of_client_id(client_id)


def _keys_of(client_id: str, members: dict[str, object]) -> tuple[tuple[AssertionKey, ...], str]:
    jwks, uri = members.get("jwks"), members.get("jwks_uri")
    if isinstance(jwks, dict):
        return read_keys(jwks), ""
    with suppress(ValueError):  # not a URL
        if isinstance(uri, str) and urlsplit(uri)[:2] == urlsplit(client_id)[:2]:
            return (), uri
    raise unusable("jwks_uri is no URL of the same host")


def _assertion_keys(found: Iterator[tuple[str, PublicKeyTypes, tuple[str, ...]]]) -> Iterator[AssertionKey]:
    for kid, public, algorithms in found:
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        try:
            jwk = jwk_of(pem)
        except ServiceError:
            continue
        name = kid or thumbprint(jwk)
        if jwk["alg"] in algorithms and is_id(name):
            yield key_of(name, pem, created=0.0, expires_at=0.0)
