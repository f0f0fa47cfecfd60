"""Compares the issuers of identities. Those of LDAP contain a distinguished name, which has several spellings."""

from __future__ import annotations

import re
from typing import Final

from portico_users.resources.identity_providers.idp import AnyConfig, OidcConfig
from portico_users.resources.identity_providers.ldap import ISSUER_PREFIX
from portico_users.resources.identity_providers.presets.preset import PRESETS, Quirk

_RDN: Final = re.compile(r"(?:\\.|[^\\,])+", re.DOTALL)
_PART: Final = re.compile(r"(?:\\.|[^\\+])+", re.DOTALL)
_ESCAPED: Final = re.compile(rb"\\([0-9A-Fa-f]{2}|.)", re.DOTALL)

Name = list[set[tuple[str, str]]]


def is_same_issuer(one: str, other: str) -> bool:
    """Links keep the issuer as it was configured when they were made, so it is compared and not rewritten."""
    if one.startswith(ISSUER_PREFIX) and other.startswith(ISSUER_PREFIX):
        return _read(one) == _read(other)
    return one == other


def has_tenants(config: AnyConfig) -> bool:
    return isinstance(config, OidcConfig) and Quirk.TENANT_ISSUER in PRESETS[config.preset].quirks


def keeps_identities(before: AnyConfig, after: AnyConfig) -> bool:
    """Reports whether links stay usable: with tenants the subject is no longer ``sub``."""
    return is_same_issuer(before.issuer, after.issuer) and has_tenants(before) == has_tenants(after)


def _read(issuer: str) -> tuple[Name, str]:
    dn, _, attribute = issuer.removeprefix(ISSUER_PREFIX).rpartition("?")
    return [set(map(_part, _PART.findall(rdn))) for rdn in _RDN.findall(dn)], attribute.lower()


def _part(text: str) -> tuple[str, str]:
    """Reads an attribute and its value (RFC 4514), without case and needless spaces (RFC 4518)."""
    kind, _, value = text.partition("=")
    plain = _ESCAPED.sub(_unescaped, value.encode()).decode(errors="replace")
    return kind.strip().lower(), " ".join(plain.casefold().split())


def _unescaped(found: re.Match[bytes]) -> bytes:
    return found[1] if len(found[1]) == 1 else bytes.fromhex(found[1].decode())
