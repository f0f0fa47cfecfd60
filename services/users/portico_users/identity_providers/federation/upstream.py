from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import BeginExternal, ExternalBegun, FinishExternal, Profile, VerifiedIdentity, VerifyLdap
from portico_oauth.errors import INVALID_INPUT

from portico_users.identity_providers.federation.claims import Seen
from portico_users.identity_providers.federation.jwt_provider import JwtProvider
from portico_users.identity_providers.federation.ldap.ldap_provider import CountAttempt, LdapProvider
from portico_users.identity_providers.federation.oauth2_provider import Oauth2Provider
from portico_users.identity_providers.federation.oidc_provider import OidcProvider
from portico_users.identity_providers.federation.provider_calls import ProviderCalls
from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.oauth2_config import Oauth2Config


@dataclass(frozen=True, slots=True)
class UpstreamProviders:
    calls: ProviderCalls
    jwt: JwtProvider
    oidc: OidcProvider
    oauth2: Oauth2Provider
    ldap: LdapProvider

    async def begin(self, idp: Idp, ask: BeginExternal) -> ExternalBegun:
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

    async def finish(self, idp: Idp, ask: FinishExternal, seen: Seen | None = None) -> VerifiedIdentity:
        """Verifies a callback; adds the provider's responses to `seen`, also if they are refused."""
        seen = {} if seen is None else seen
        async with self.calls.place(idp.id):
            match idp.config:
                case JwtConfig() as config:
                    return await self.jwt.finish(idp, config, ask, seen)
                case OidcConfig() as config:
                    return await self.oidc.finish(idp, config, ask, seen)
                case Oauth2Config() as config:
                    return await self.oauth2.finish(idp, config, ask, seen)
                case LdapConfig():
                    raise INVALID_INPUT.error()

    async def verify_password(
        self, idp: Idp, ask: VerifyLdap, count: CountAttempt, seen: Seen | None = None
    ) -> VerifiedIdentity | None:
        if not isinstance(idp.config, LdapConfig):
            raise INVALID_INPUT.error()
        async with self.calls.place(idp.id):
            return await self.ldap.verify(
                idp, idp.config, ask.login_name, ask.password, count, {} if seen is None else seen
            )


def vouches_for_email(idp: Idp, profile: Profile) -> bool:
    """Reports whether the address is marked as verified by a provider that is authoritative for addresses.

    JWT providers are: endpoint, keys and issuer belong to the organization, whose administrators may assert
    addresses anyway. LDAP servers are, for addresses that a separate attribute marks as verified. Other
    providers need `trusted_email`.
    """
    if not profile.email or not profile.email_verified:
        return False
    match idp.config:
        case JwtConfig() | LdapConfig():
            return True
        case OidcConfig() | Oauth2Config() as config:
            return config.trusted_email
