"""Which issuer a discovery document and an ID token may name: the configured one, or that of a tenant (Entra).

Several tenants share the documents of ``common``, ``organizations`` and ``consumers``. Their issuer is a template, which the
``tid`` of each token fills: the comparison stays exact, and is never left out.
"""

from __future__ import annotations

from typing import Any, Final

from portico_users.directory.identity_providers.idp import OidcConfig
from portico_users.directory.identity_providers.preset_rules import TENANT
from portico_users.directory.identity_providers.presets.preset import PRESETS, Quirk
from portico_users.federation.refusals import MISSING_CLAIM, OTHER_TENANT

_TEMPLATE: Final = "{tenantid}"
_PERSONAL: Final = "9188040d-6c67-4c5b-b112-36a304b66dad"
"""The tenant of accounts of consumers."""

_SHARED: Final = ("common", "organizations", "consumers")


def has_tenants(config: OidcConfig) -> bool:
    """Its tokens are of tenants."""
    return Quirk.TENANT_ISSUER in PRESETS[config.preset].quirks


def published_issuers(config: OidcConfig) -> tuple[str, ...]:
    """What the discovery document may have as its issuer."""
    shared = _shared_part(config)
    if not shared:
        return (config.issuer,)
    template = _filled(config.issuer, shared, _TEMPLATE)
    return (template, _filled(config.issuer, shared, _PERSONAL)) if shared == "consumers" else (template,)


def answer_issuer(config: OidcConfig) -> str:
    """What ``iss`` of a callback is compared with (RFC 9207); empty where no token names the tenant yet."""
    return "" if _shared_part(config) else config.issuer


def token_issuer(config: OidcConfig, claims: dict[str, Any]) -> str:
    """The issuer an ID token must have.

    Raises:
        ServiceError: USER-968 for a ``tid`` that is none, USER-631 for a tenant that may not sign in.
    """
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


def key_issuer(config: OidcConfig, named: str, claims: dict[str, Any]) -> str:
    """The issuer whose tokens a key signs, by the ``issuer`` beside it in the key set; empty where it names none."""
    tenant = claims.get("tid")
    return named.replace(_TEMPLATE, tenant) if isinstance(tenant, str) and has_tenants(config) else named


def _shared_part(config: OidcConfig) -> str:
    if not has_tenants(config):
        return ""
    parts = config.issuer.split("/")
    return next((one for one in _SHARED if one in parts), "")


def _filled(issuer: str, shared: str, tenant: str) -> str:
    return "/".join(tenant if part == shared else part for part in issuer.split("/"))
