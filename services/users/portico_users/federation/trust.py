"""Whether what a provider states of an email address counts (nOAuth: an address can be another person's over there)."""

from __future__ import annotations

from portico_contracts.users import Profile

from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config


def vouches_for_email(idp: Idp, profile: Profile) -> bool:
    """True for an address that the provider states as verified, if it is an authority for addresses.

    A JWT provider is: its endpoint, keys and issuer are the organization's own, whose administrators may assert addresses
    anyway. A directory is, for an address that its own attribute states as verified. Other providers are where their record
    has it (`trusted_email`).
    """
    if not profile.email or not profile.email_verified:
        return False
    match idp.config:
        case JwtConfig() | LdapConfig():
            return True
        case OidcConfig() | Oauth2Config() as config:
            return config.trusted_email
