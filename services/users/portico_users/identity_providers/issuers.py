"""Compares issuers of identities, and groups. Those of LDAP contain distinguished names, which have several spellings."""

from __future__ import annotations

from portico_users.identity_providers.distinguished_names import one_spelling
from portico_users.identity_providers.idp import AnyConfig, OidcConfig
from portico_users.identity_providers.ldap import ISSUER_PREFIX, LdapConfig
from portico_users.identity_providers.presets.preset import PRESETS, Quirk


def is_same_issuer(one: str, other: str) -> bool:
    """Links keep the issuer as it was configured when they were made, so it is compared and not rewritten."""
    if one.startswith(ISSUER_PREFIX) and other.startswith(ISSUER_PREFIX):
        return _read(one) == _read(other)
    return one == other


def group_key(config: AnyConfig, name: str) -> str:
    """Returns what groups of a provider are compared by: in directories they are distinguished names."""
    return one_spelling(name) if isinstance(config, LdapConfig) else name


def has_tenants(config: AnyConfig) -> bool:
    return isinstance(config, OidcConfig) and Quirk.TENANT_ISSUER in PRESETS[config.preset].quirks


def keeps_identities(before: AnyConfig, after: AnyConfig) -> bool:
    """Reports whether links stay usable: with tenants the subject is no longer ``sub``."""
    return is_same_issuer(before.issuer, after.issuer) and has_tenants(before) == has_tenants(after)


def _read(issuer: str) -> tuple[str, str]:
    dn, _, attribute = issuer.removeprefix(ISSUER_PREFIX).rpartition("?")
    return one_spelling(dn), attribute.lower()
