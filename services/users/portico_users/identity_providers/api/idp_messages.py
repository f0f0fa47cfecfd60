"""Identity providers as messages; never their secrets (MG-18)."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from portico_contracts.generated.portico.management.v1 import idp_ldap_pb2, idp_pb2
from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as pb

from portico_users.identity_providers.api.config_mappings import USER_BASE
from portico_users.identity_providers.api.preset_mappings import shown_preset
from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.identity_providers.idp_fields import IDP, JWT, LDAP, OIDC, OPTIONS
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.messages import message_of


def idp_message(idp: Idp) -> idp_pb2.IDP:
    """Everything that the older methods show of an identity provider."""
    message = message_of(
        idp_pb2.IDP,
        IDP,
        idp,
        id=idp.id,
        details=details_of(idp),
        owner=_owner(idp),
        auto_register=idp.options.auto_creation,
        provider_options=message_of(idp_pb2.ProviderOptions, OPTIONS, idp.options),
    )
    match idp.config:
        case JwtConfig() as jwt:
            message.jwt_config.CopyFrom(_jwt(jwt))
        case OidcConfig() as oidc:
            has_secret = bool(idp.sealed_secret)
            message.oidc_config.CopyFrom(message_of(idp_pb2.OIDCIDPConfig, OIDC, oidc, has_client_secret=has_secret))
    return message


def provider_message(idp: Idp) -> pb.Provider:
    """Everything that is shown of an identity provider."""
    config = pb.ProviderConfig(options=message_of(idp_pb2.ProviderOptions, OPTIONS, idp.options))
    kind = pb.PROVIDER_TYPE_UNSPECIFIED
    match idp.config:
        case JwtConfig() as jwt:
            kind = pb.PROVIDER_TYPE_JWT
            config.jwt.CopyFrom(_jwt(jwt))
        case OidcConfig() | Oauth2Config() as client:
            kind, shown = shown_preset(client, has_secret=bool(idp.sealed_secret))
            config.MergeFrom(shown)
        case LdapConfig() as ldap:
            kind = pb.PROVIDER_TYPE_LDAP
            config.ldap.CopyFrom(_ldap(ldap))
    return message_of(
        pb.Provider, IDP, idp, id=idp.id, details=details_of(idp), owner=_owner(idp), type=kind, config=config
    )


def _owner(idp: Idp) -> idp_pb2.IDPOwnerType:
    return idp_pb2.IDP_OWNER_TYPE_SYSTEM if idp.of_instance else idp_pb2.IDP_OWNER_TYPE_ORG


def _jwt(config: JwtConfig) -> idp_pb2.JWTIDPConfig:
    """With the header that is read."""
    return message_of(idp_pb2.JWTIDPConfig, JWT, config, header_name=config.header)


def _ldap(config: LdapConfig) -> idp_ldap_pb2.LDAPConfig:
    """With the time that is in force."""
    timeout = Duration(seconds=config.seconds)
    return message_of(idp_ldap_pb2.LDAPConfig, LDAP, config, user_base=USER_BASE, timeout=timeout)
