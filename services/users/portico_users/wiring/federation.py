"""Federation: what asks other identity providers, and verifies what they answer."""

from __future__ import annotations

from portico_runtime.outbound import Outbound, resolve_with_system

from portico_users.federation.client_authentication import CredentialSigner, StoredSecrets
from portico_users.federation.intents import Intents
from portico_users.federation.jwt_provider import JwtProvider, UsedTokens
from portico_users.federation.ldap.connection import LdapConnections
from portico_users.federation.ldap.ldap_provider import LdapProvider
from portico_users.federation.oauth2_provider import Oauth2Provider
from portico_users.federation.offered import OfferedProviders
from portico_users.federation.oidc_provider import OidcProvider
from portico_users.federation.provider_calls import ProviderCalls, ProviderClient
from portico_users.federation.provider_metadata import Discovery, FetchedDocuments
from portico_users.federation.refusals import RefusalLimit
from portico_users.federation.upstream import UpstreamProviders
from portico_users.federation.verification_keys import KeySets
from portico_users.kernel.operator_settings import OutboundAllowed
from portico_users.settings import Settings
from portico_users.wiring.externals import Externals
from portico_users.wiring.parts import Parts


def add_federation(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(_client, ProviderCalls, FetchedDocuments, KeySets, UsedTokens, OfferedProviders, Intents)
    parts.offer(RefusalLimit)
    parts.offer(StoredSecrets, CredentialSigner)
    parts.offer(Discovery, JwtProvider, OidcProvider, Oauth2Provider, UpstreamProviders)
    parts.offer(_ldap, LdapProvider)


def _client(externals: Externals, settings: Settings) -> ProviderClient:
    # Connections of its own, so that slow providers take none from webhooks, and the other way round.
    return externals.providers or Outbound(settings)


def _ldap(settings: Settings, allowed: OutboundAllowed) -> LdapConnections:
    return LdapConnections(resolve_with_system, allowed, settings.outbound_ca_file)
