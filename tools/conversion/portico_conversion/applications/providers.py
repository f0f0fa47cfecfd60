"""What the sources report about identity providers, and values that several of them write in the same way."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote

from portico_contracts.apply import OidcPresetName

from portico_conversion.findings import Reports

KIND: Final = "an identity provider of a kind that is not supported"
NO_SECRET: Final = "an identity provider whose secret is not in the export: add it with its secret"
NO_ISSUER: Final = "an identity provider without an issuer: add it with its discovery address"
CALLBACK: Final = "an identity provider: register its new redirect URI there (docs/guides/identity-providers.md)"
DIRECTORY: Final = "a user federation that is not LDAP with TLS, a bind user and a password in the export"
SCHEME: Final = "ldap:// without StartTLS: use ldaps:// or startTls"
TENANT: Final = "a Microsoft provider of one tenant whose id is not in the export: add it with its issuer"
ORGANIZATIONS: Final = "a Microsoft provider: accounts of every organization can sign in, personal accounts cannot"
FILTER: Final = "a filter of the directory: every entry below its base DN can sign in here"
USER_IDS: Final = "a directory that identifies users by an attribute that can change: entryUUID is used"

_USER_IDS: Final = {one.lower(): one for one in ("", "entryUUID", "objectGUID", "nsUniqueId", "ipaUniqueID")}
_MAX_ID: Final = 200
_TENANT_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ANY_TENANT: Final = ("", "common", "organizations")
_PEM_LINE: Final = 64


def microsoft_issuer(tenant: str, report: Reports) -> str | None:
    """Returns the issuer of one tenant, or "" for all; None, and a report, for a tenant without its id."""
    name = tenant.lower()
    if name in _ANY_TENANT:
        report.changed(ORGANIZATIONS)
        return ""
    if not _TENANT_ID.fullmatch(name):
        report(TENANT, tenant)
        return None
    return f"https://login.microsoftonline.com/{name}/v2.0"


def provider_id(organization: str, name: str) -> str:
    """Returns an id that the redirect URI contains unchanged: a tilde instead of the % of a URL encoding."""
    return quote(f"{organization}-{name}", safe="").replace("%", "~")[:_MAX_ID]


def id_attribute(name: str, report: Reports) -> str:
    """Returns our spelling of it; names of attributes have no case (RFC 4512 section 2.5)."""
    if name.lower() in _USER_IDS:
        return _USER_IDS[name.lower()]
    report.changed(USER_IDS, name)
    return ""


def apple_members(team_id: str, key_id: str, key: str) -> dict[str, Any]:
    return {"preset": OidcPresetName.APPLE, "team_id": team_id, "key_id": key_id, "client_secret": _pem(key)}


def _pem(key: str) -> str:
    """Adds the lines around a key that some systems store without them."""
    if "-----BEGIN" in key:
        return f"{key.strip()}\n"
    text = "".join(key.split())
    lines = [text[start : start + _PEM_LINE] for start in range(0, len(text), _PEM_LINE)]
    return "\n".join(["-----BEGIN PRIVATE KEY-----", *lines, "-----END PRIVATE KEY-----", ""])
