"""The identity providers of every kind, each asked in the way of its record."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import BeginExternal, ExternalBegun, FinishExternal, Profile, VerifiedIdentity, VerifyLdap
from portico_oauth.errors import INVALID_INPUT

from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config
from portico_users.federation.jwt_provider import JwtProvider
from portico_users.federation.ldap.ldap_provider import CountAttempt, LdapProvider
from portico_users.federation.oauth2_provider import Oauth2Provider
from portico_users.federation.oidc_provider import OidcProvider
from portico_users.federation.provider_calls import ProviderCalls


@dataclass(frozen=True, slots=True)
class UpstreamProviders:
    """Asks a provider where the browser goes, and verifies what it brings back."""

    calls: ProviderCalls
    jwt: JwtProvider
    oidc: OidcProvider
    oauth2: Oauth2Provider
    ldap: LdapProvider

    async def begin(self, idp: Idp, ask: BeginExternal) -> ExternalBegun:
        """Where the browser goes. Raises USER-630 to USER-633, USER-960 to USER-981."""
        async with self.calls.place(idp.id):
            match idp.config:
                case JwtConfig() as config:
                    return self.jwt.begin(idp, config, ask)
                case OidcConfig() as config:
                    return await self.oidc.begin(idp, config, ask)
                case Oauth2Config() as config:
                    return self.oauth2.begin(idp, config, ask)
                case LdapConfig():  # the browser goes nowhere
                    raise INVALID_INPUT.error()

    async def finish(self, idp: Idp, ask: FinishExternal) -> VerifiedIdentity:
        """The identity that was verified. Raises USER-630 to USER-633, USER-960 to USER-981."""
        async with self.calls.place(idp.id):
            match idp.config:
                case JwtConfig() as config:
                    return await self.jwt.finish(idp, config, ask)
                case OidcConfig() as config:
                    return await self.oidc.finish(idp, config, ask)
                case Oauth2Config() as config:
                    return await self.oauth2.finish(idp, config, ask)
                case LdapConfig():
                    raise INVALID_INPUT.error()

    async def verify_password(self, idp: Idp, ask: VerifyLdap, count: CountAttempt) -> VerifiedIdentity | None:
        """The identity of who entered a password; None for a wrong one.

        Raises:
            ServiceError: as `LdapProvider.verify`; USER-978; PORT-005 for a provider that is no directory.
        """
        if not isinstance(idp.config, LdapConfig):
            raise INVALID_INPUT.error()
        async with self.calls.place(idp.id):
            return await self.ldap.verify(idp, idp.config, ask.login_name, ask.password, count)


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
