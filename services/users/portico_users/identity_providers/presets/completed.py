from __future__ import annotations

import msgspec

from portico_users.identity_providers.idp import AnyConfig, OidcConfig
from portico_users.identity_providers.oauth2_config import ClaimPaths, Oauth2Config
from portico_users.identity_providers.presets.preset import PRESETS, Preset


def completed(config: AnyConfig) -> AnyConfig:
    """Fills empty values from the preset before storing: secrets and links are bound to the stored values."""
    match config:
        case OidcConfig():
            preset = PRESETS[config.preset]
            return msgspec.structs.replace(config, issuer=_issuer(config.issuer or preset.issuer, preset))
        case Oauth2Config():
            return _oauth2(config, PRESETS[config.preset])
        case _:
            return config


def _issuer(stated: str, preset: Preset) -> str:
    """Accepts the domain of a provider as its issuer, and writes issuers as the provider does."""
    if not stated or preset.issuer_slash is None:
        return stated
    address = stated if "://" in stated else f"https://{stated}"
    return address.rstrip("/") + ("/" if preset.issuer_slash else "")


def _oauth2(config: Oauth2Config, preset: Preset) -> Oauth2Config:
    userinfo = config.userinfo_endpoint or preset.userinfo_endpoint
    below = userinfo.rstrip("/") + preset.emails_below if userinfo and preset.emails_below else ""
    return msgspec.structs.replace(
        config,
        authorization_endpoint=config.authorization_endpoint or preset.authorization_endpoint,
        token_endpoint=config.token_endpoint or preset.token_endpoint,
        userinfo_endpoint=userinfo,
        emails_endpoint=config.emails_endpoint or below,
        claims=preset.claims if config.claims == ClaimPaths() else config.claims,
    )
