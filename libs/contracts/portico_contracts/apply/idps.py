"""Identity providers."""

from __future__ import annotations

from portico_contracts.apply.parts import DeclaredObject, Id, Name, SecretText, Text
from portico_contracts.apply.vocabulary import AutoLinkingOption, MappingField, ObjectState, StylingType


class ProviderOptions(DeclaredObject, frozen=True):
    """What happens with an end user who comes from there, besides ``autoRegister``."""

    is_linking_allowed: bool = True
    is_creation_allowed: bool = True
    is_auto_update: bool = False
    auto_linking: AutoLinkingOption = AutoLinkingOption.UNSPECIFIED


class JwtIdp(DeclaredObject, frozen=True):
    """An identity provider that sends a JWT. Without ``headerName`` it comes in the header authorization."""

    name: Name
    jwt_endpoint: Name
    issuer: Name
    keys_endpoint: Name
    header_name: Text = ""
    auto_register: bool = False
    provider_options: ProviderOptions | None = None
    styling_type: StylingType | None = None
    id: Id | None = None
    state: ObjectState | None = None


class OidcIdp(DeclaredObject, frozen=True):
    """An OpenID Connect provider.

    Its secret is stored at creation, and again when the issuer is another one; only then it is needed.
    ``trustedEmail`` makes it an authority for the addresses it states as verified: new accounts have them as verified, and
    an account with such an address is offered to be linked. Left out it stays, but another issuer is not trusted.
    """

    name: Name
    issuer: Name
    client_id: Name
    client_secret: SecretText | None = None
    scopes: tuple[Name, ...] = ()
    display_name_mapping: MappingField | None = None
    username_mapping: MappingField | None = None
    trusted_email: bool | None = None
    auto_register: bool = False
    provider_options: ProviderOptions | None = None
    styling_type: StylingType | None = None
    id: Id | None = None
    state: ObjectState | None = None
