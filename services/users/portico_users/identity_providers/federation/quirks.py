from __future__ import annotations

import json
from typing import Final

import msgspec
from portico_contracts.users import BeginExternal, Profile

from portico_users.identity_providers.federation.claims import MAX_SUBJECT, profile_of, subject_of
from portico_users.identity_providers.federation.code_exchange import NO_CHALLENGE
from portico_users.identity_providers.federation.errors import NO_SUBJECT, OTHER_DOMAIN
from portico_users.identity_providers.idp import OidcConfig
from portico_users.identity_providers.issuers import has_tenants
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.presets.preset import PRESETS, Quirk
from portico_users.values.names import MAX_LENGTH, is_name

_MAX_USER_FIELD = 2_000
_SELECT_ACCOUNT: Final = "select_account"


def has_quirk(config: OidcConfig | Oauth2Config, quirk: Quirk) -> bool:
    return quirk in PRESETS[config.preset].quirks


def scopes_of(config: OidcConfig) -> tuple[str, ...]:
    """Returns the configured scopes, or else the preset's, plus those always requested."""
    preset = PRESETS[config.preset]
    return tuple(dict.fromkeys((*preset.always, *(config.scopes or preset.scopes))))


def forwarded(config: OidcConfig, ask: BeginExternal) -> BeginExternal:
    """Limits ``prompt`` to the values that the provider supports."""
    words, hint = ask.prompt.split(), ask.login_hint
    if words and has_quirk(config, Quirk.NO_LOGIN_PROMPT):
        words = [_SELECT_ACCOUNT]
    if has_quirk(config, Quirk.ONE_PROMPT):
        words = words[:1]
        hint = "" if words == [_SELECT_ACCOUNT] else hint
    return msgspec.structs.replace(ask, prompt=" ".join(words), login_hint=hint)


def further_parameters(config: OidcConfig, ask: BeginExternal) -> dict[str, str]:
    further = {"nonce": ask.nonce}
    if has_quirk(config, Quirk.NO_PKCE):
        further |= NO_CHALLENGE
    if has_quirk(config, Quirk.FORM_POST):
        further["response_mode"] = "form_post"
    if len(config.hosted_domains) == 1:
        further["hd"] = config.hosted_domains[0]
    return further


def check_domain(config: OidcConfig, claims: dict[str, object]) -> None:
    """Raises USER-630 for a user of another domain; the request parameter ``hd`` does not enforce it."""
    if config.hosted_domains and claims.get("hd") not in config.hosted_domains:
        raise OTHER_DOMAIN.error(hd=str(claims.get("hd"))[:200])


def identified_by(config: OidcConfig, claims: dict[str, object]) -> str:
    """Returns ``sub``, or for multi-tenant providers ``tid`` and ``oid``, which are the same for all clients."""
    if not has_tenants(config):
        return subject_of(claims)
    oid = claims.get("oid")
    subject = f"{claims.get('tid')}:{oid}"
    if not isinstance(oid, str) or not is_name(oid) or len(subject) > MAX_SUBJECT:
        raise NO_SUBJECT.error(claim="oid")
    return subject


def stated_profile(config: OidcConfig, claims: dict[str, object], parameters: dict[str, str]) -> Profile:
    if has_quirk(config, Quirk.TENANT_ISSUER):
        # Tenant administrators can set any address: trust it only if the domain owner is verified (nOAuth).
        claims = {**claims, "email_verified": claims.get("xms_edov")}
    if has_quirk(config, Quirk.TEXT_BOOLEANS) and claims.get("email_verified") == "true":
        claims = {**claims, "email_verified": True}
    profile = profile_of(claims)
    if has_quirk(config, Quirk.UNSIGNED_NAME) and not profile.display_name:
        profile = msgspec.structs.replace(profile, display_name=_unsigned_name(parameters.get("user", "")))
    return profile


def _unsigned_name(text: str) -> str:
    """Reads a name, for display only: the browser could forge the parameter."""
    if not 0 < len(text) <= _MAX_USER_FIELD:
        return ""
    try:
        name = json.loads(text)["name"]
        parts = [name.get(part, "").strip() for part in ("firstName", "lastName")]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
    together = " ".join(filter(None, parts))
    return together if len(together) <= MAX_LENGTH and is_name(together) else ""
