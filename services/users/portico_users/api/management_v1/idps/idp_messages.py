"""Identity providers as messages."""

from __future__ import annotations

from typing import Final, Protocol

from portico_contracts.generated.portico.management.v1 import idp_pb2 as pb
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    AddOIDCIDPRequest,
    UpdateIDPOIDCConfigRequest,
)
from portico_contracts.generated.portico.management.v1.idp_templates_pb2 import (
    AddGenericOIDCProviderRequest,
    UpdateGenericOIDCProviderRequest,
)

from portico_users.api.management_v1.idps.idp_options import options_message
from portico_users.api.shared.details import details_of
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, Mapping, OidcConfig, Styling
from portico_users.kernel.records import State

STYLINGS: Final[dict[Styling, pb.IDPStylingType]] = {
    Styling.UNSPECIFIED: pb.STYLING_TYPE_UNSPECIFIED,
    Styling.GOOGLE: pb.STYLING_TYPE_GOOGLE,
}
MAPPINGS: Final[dict[Mapping, pb.OIDCMappingField]] = {
    Mapping.UNSPECIFIED: pb.OIDC_MAPPING_FIELD_UNSPECIFIED,
    Mapping.PREFERRED_USERNAME: pb.OIDC_MAPPING_FIELD_PREFERRED_USERNAME,
    Mapping.EMAIL: pb.OIDC_MAPPING_FIELD_EMAIL,
}
_STYLINGS_BY_NUMBER: Final = {int(number): styling for styling, number in STYLINGS.items()}
_MAPPINGS_BY_NUMBER: Final = {int(number): mapping for mapping, number in MAPPINGS.items()}


def styling_of(number: int) -> Styling:
    """A styling of the .proto file; only known ones pass its rules."""
    return _STYLINGS_BY_NUMBER[number]


class HasJwtConfig(Protocol):
    """A request with the configuration of a JWT identity provider."""

    jwt_endpoint: str
    issuer: str
    keys_endpoint: str
    header_name: str


def jwt_config(request: HasJwtConfig) -> JwtConfig:
    """The configuration of a JWT identity provider."""
    return JwtConfig(
        jwt_endpoint=request.jwt_endpoint,
        issuer=request.issuer,
        keys_endpoint=request.keys_endpoint,
        header_name=request.header_name,
    )


def oidc_config(request: AddOIDCIDPRequest | UpdateIDPOIDCConfigRequest) -> OidcConfig:
    """The configuration of an OpenID Connect provider."""
    return OidcConfig(
        issuer=request.issuer,
        client_id=request.client_id,
        scopes=tuple(request.scopes),
        display_name_mapping=_MAPPINGS_BY_NUMBER[request.display_name_mapping],
        username_mapping=_MAPPINGS_BY_NUMBER[request.username_mapping],
    )


def generic_oidc_config(request: AddGenericOIDCProviderRequest | UpdateGenericOIDCProviderRequest) -> OidcConfig:
    """The same, of a message without mappings."""
    return OidcConfig(issuer=request.issuer, client_id=request.client_id, scopes=tuple(request.scopes))


def state_of(idp: Idp) -> pb.IDPState:
    """Active or not; deleted ones are not shown."""
    return pb.IDP_STATE_ACTIVE if idp.state is State.ACTIVE else pb.IDP_STATE_INACTIVE


def owner_of(idp: Idp) -> pb.IDPOwnerType:
    """The instance, or an organization."""
    return pb.IDP_OWNER_TYPE_SYSTEM if idp.of_instance else pb.IDP_OWNER_TYPE_ORG


def idp_message(idp: Idp) -> pb.IDP:
    """Everything that is shown of an identity provider; never its secret (MG-18)."""
    message = pb.IDP(
        id=idp.id,
        details=details_of(idp),
        state=state_of(idp),
        name=idp.name,
        styling_type=STYLINGS[idp.styling],
        owner=owner_of(idp),
        auto_register=idp.options.auto_creation,
        provider_options=options_message(idp.options),
    )
    match idp.config:
        case JwtConfig() as config:
            message.jwt_config.CopyFrom(jwt_message(config))
        case OidcConfig() as config:
            message.oidc_config.CopyFrom(_oidc(config, has_secret=bool(idp.sealed_secret)))
    return message


def jwt_message(config: JwtConfig) -> pb.JWTIDPConfig:
    """How a JWT is fetched and checked, with the header that is read."""
    return pb.JWTIDPConfig(
        jwt_endpoint=config.jwt_endpoint,
        issuer=config.issuer,
        keys_endpoint=config.keys_endpoint,
        header_name=config.header,
    )


def _oidc(config: OidcConfig, *, has_secret: bool) -> pb.OIDCIDPConfig:
    return pb.OIDCIDPConfig(
        client_id=config.client_id,
        issuer=config.issuer,
        scopes=config.scopes,
        display_name_mapping=MAPPINGS[config.display_name_mapping],
        username_mapping=MAPPINGS[config.username_mapping],
        has_client_secret=has_secret,
    )
