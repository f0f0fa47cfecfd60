"""Verifies ID tokens of other providers (OIDC Core §3.1.3.7), and the issuer they name.

Entra tenants share discovery documents, whose issuer is a template that the ``tid`` of each token fills: the
comparison stays exact.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from portico_oauth.opaque import b64url, equal_in_constant_time

from portico_users.identity_providers.federation.claims import audiences_of, check_claims
from portico_users.identity_providers.federation.errors import (
    MISSING_CLAIM,
    OTHER_SIGN_IN,
    OTHER_TENANT,
    UNREADABLE_ANSWER,
    WRONG_AUDIENCE,
    WRONG_ISSUER,
)
from portico_users.identity_providers.federation.quirks import has_quirk
from portico_users.identity_providers.federation.verification_keys import (
    KeySets,
    ProviderKey,
    read_token,
    verified_claims,
)
from portico_users.identity_providers.idp import OidcConfig
from portico_users.identity_providers.issuers import has_tenants
from portico_users.identity_providers.preset_rules import TENANT
from portico_users.identity_providers.presets.preset import Quirk

_TEMPLATE: Final = "{tenantid}"
_PERSONAL: Final = "9188040d-6c67-4c5b-b112-36a304b66dad"
"""The tenant of personal Microsoft accounts."""

_SHARED: Final = ("common", "organizations", "consumers")


def published_issuers(config: OidcConfig) -> tuple[str, ...]:
    shared = _shared_part(config)
    if not shared:
        return (config.issuer,)
    template = _filled(config.issuer, shared, _TEMPLATE)
    return (template, _filled(config.issuer, shared, _PERSONAL)) if shared == "consumers" else (template,)


def answer_issuer(config: OidcConfig) -> str:
    """Returns the expected ``iss`` of a callback (RFC 9207); empty if the tenant is not known yet."""
    return "" if _shared_part(config) else config.issuer


def token_issuer(config: OidcConfig, claims: dict[str, object]) -> str:
    if not has_tenants(config):
        return config.issuer
    tenant, shared = claims.get("tid"), _shared_part(config)
    if not isinstance(tenant, str) or not TENANT.match(tenant):
        raise MISSING_CLAIM.error(claim="tid")
    is_personal = tenant == _PERSONAL
    if (config.tenants and tenant not in config.tenants) or (is_personal and shared == "organizations"):
        raise OTHER_TENANT.error(tid=tenant)
    if shared == "consumers" and not is_personal:
        raise OTHER_TENANT.error(tid=tenant)
    if not shared:
        if tenant not in config.issuer.split("/"):
            raise OTHER_TENANT.error(tid=tenant)
        return config.issuer
    return _filled(config.issuer, shared, tenant)


def key_issuer(config: OidcConfig, named: str, claims: dict[str, object]) -> str:
    """Returns the issuer whose tokens a key may sign, from its ``issuer`` in the key set; empty without one."""
    tenant = claims.get("tid")
    return named.replace(_TEMPLATE, tenant) if isinstance(tenant, str) and has_tenants(config) else named


def _shared_part(config: OidcConfig) -> str:
    if not has_tenants(config):
        return ""
    parts = config.issuer.split("/")
    return next((one for one in _SHARED if one in parts), "")


def _filled(issuer: str, shared: str, tenant: str) -> str:
    return "/".join(tenant if part == shared else part for part in issuer.split("/"))


@dataclass(frozen=True, slots=True)
class ExpectedToken:
    config: OidcConfig
    nonce: str


async def verify_id_token(
    tokens: dict[str, object], expected: ExpectedToken, key_sets: KeySets, place: tuple[str, str], now: float
) -> dict[str, object]:
    """Returns the claims of the ID token; ``place`` is the provider id and the URL of its keys."""
    token = tokens.get("id_token")
    if not isinstance(token, str):
        raise UNREADABLE_ANSWER.error(cause="no id_token")
    header, unverified = read_token(token)
    keys = await key_sets.find(*place, header)
    claims = verified_claims(token, [key for key in keys if _signs_for(key, expected.config, unverified)])
    if claims.get("iss") != token_issuer(expected.config, claims):
        raise WRONG_ISSUER.error(iss=str(claims.get("iss"))[:200])
    _check_audience(claims, expected.config.client_id)
    check_claims(claims, now)
    if "nonce" in claims or not has_quirk(expected.config, Quirk.NO_NONCE):
        _check_nonce(claims.get("nonce"), expected.nonce)
    access_token = tokens.get("access_token")
    if "at_hash" in claims and claims["at_hash"] != _hash_of(access_token, str(header["alg"])):
        raise OTHER_SIGN_IN.error(claim="at_hash")
    return claims


def _check_nonce(nonce: object, expected: str) -> None:
    if not isinstance(nonce, str) or not expected or not equal_in_constant_time(nonce, expected):
        raise OTHER_SIGN_IN.error(claim="nonce")


def _signs_for(key: ProviderKey, config: OidcConfig, claims: dict[str, object]) -> bool:
    """In key sets shared by tenants, a key's ``issuer`` may restrict it to some tenants."""
    return not has_tenants(config) or not key.issuer or key_issuer(config, key.issuer, claims) == claims.get("iss")


def _check_audience(claims: dict[str, object], client_id: str) -> None:
    audiences = audiences_of(claims)
    # With several audiences azp names the client; whenever present, it must be Portico.
    authorized = claims.get("azp", None if len(audiences) > 1 else client_id)
    if client_id not in audiences or authorized != client_id:
        raise WRONG_AUDIENCE.error()


def _hash_of(access_token: object, alg: str) -> str:
    """Returns the ``at_hash`` of an access token (OpenID Connect Core section 3.1.3.6)."""
    if not isinstance(access_token, str) or not access_token.isascii():
        return ""
    name = "sha512" if alg == "EdDSA" else f"sha{alg[-3:]}"
    digest = hashlib.new(name, access_token.encode()).digest()
    return b64url(digest[: len(digest) // 2])
