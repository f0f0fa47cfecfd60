"""Identity providers of ZITADEL: two kinds are in its export, all are in the answers of ListProviders."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.apply import (
    AutoLinkingOption,
    JwtIdp,
    LdapAttributes,
    LdapIdp,
    MappingField,
    Oauth2Idp,
    Oauth2PresetName,
    ObjectState,
    OidcIdp,
    OidcPresetName,
    ProviderOptions,
    UserinfoClaims,
)

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.providers import (
    CALLBACK,
    KIND,
    NO_SECRET,
    SCHEME,
    apple_members,
    id_attribute,
    microsoft_issuer,
)
from portico_conversion.findings import Findings, Place, Reports
from portico_conversion.reading.records import Record, read_record

_OF_INSTANCE: Final = "IDP_OWNER_TYPE_SYSTEM"
_TENANT_TYPES: Final = {
    "": "common",
    "AZURE_AD_TENANT_TYPE_COMMON": "common",
    "AZURE_AD_TENANT_TYPE_ORGANISATIONS": "organizations",
}
_OAUTH2: Final = {
    "oauth": Oauth2PresetName.OAUTH2,
    "github": Oauth2PresetName.GITHUB,
    "githubEs": Oauth2PresetName.GITHUB_ENTERPRISE,
}
_OIDC: Final = {
    "oidc": OidcPresetName.OIDC,
    "google": OidcPresetName.GOOGLE,
    "gitlab": OidcPresetName.GITLAB,
    "gitlabSelfHosted": OidcPresetName.GITLAB_SELF_MANAGED,
    "azureAd": OidcPresetName.ENTRA,
    "apple": OidcPresetName.APPLE,
}
_ATTRIBUTES: Final = {field.encode_name: field.name for field in msgspec.structs.fields(LdapAttributes)}
_KINDS: Final = (*_OAUTH2, *_OIDC, "ldap", "jwt")


class _Idp(Record, frozen=True):
    name: str
    client_id: str = ""
    client_secret: str = ""
    issuer: str = ""
    scopes: list[str] = []
    display_name_mapping: MappingField | None = None
    username_mapping: MappingField | None = None
    jwt_endpoint: str = ""
    keys_endpoint: str = ""
    header_name: str = ""
    auto_register: bool = False


class _IdpRow(Record, frozen=True):
    idp_id: str
    idp: _Idp

    whole = True

    @property
    def title(self) -> str:
        return f"identity provider {self.idp.name}"


class _Options(Record, frozen=True):
    is_linking_allowed: bool = False
    is_creation_allowed: bool = False
    is_auto_creation: bool = False
    is_auto_update: bool = False
    auto_linking: AutoLinkingOption = AutoLinkingOption.UNSPECIFIED

    whole = True


class _Tenant(Record, frozen=True):
    tenant_type: str = ""
    tenant_id: str = ""


class _Settings(Record, frozen=True):
    """The members of every kind. ListProviders returns no secrets: an administrator adds them to its answer."""

    client_id: str = ""
    client_secret: str = ""
    issuer: str = ""
    scopes: list[str] = []
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    user_endpoint: str = ""
    id_attribute: str = ""
    tenant: _Tenant = _Tenant()
    team_id: str = ""
    key_id: str = ""
    private_key: str = ""
    jwt_endpoint: str = ""
    keys_endpoint: str = ""
    header_name: str = ""
    servers: list[str] = []
    start_tls: bool = False
    base_dn: str = ""
    bind_dn: str = ""
    bind_password: str = ""
    user_object_classes: list[str] = []
    user_filters: list[str] = []
    attributes: dict[str, str] = {}
    root_ca: str = ""


class _Owned(Record, frozen=True):
    resource_owner: str = ""


class _Row(Record, frozen=True):
    id: str
    name: str
    state: str = ""
    owner: str = ""
    details: _Owned = _Owned()
    config: dict[str, Any] = {}

    whole = True

    @property
    def title(self) -> str:
        return f"identity provider {self.name}"


class Provider(NamedTuple):
    place: Place
    row: _Row
    kind: str
    settings: _Settings
    options: _Options

    @property
    def org_id(self) -> str:
        """Returns the organization, or "" for a provider of the instance."""
        return "" if self.row.owner == _OF_INSTANCE else self.row.details.resource_owner


def read_provider(place: Place, value: Any, findings: Findings) -> Provider | None:
    row = read_record(value, _Row, place, findings)
    if row is None:
        return None
    kind = next((name for name in row.config if name != "options"), "")
    options = read_record(row.config.get("options", {}), _Options, place, findings)
    settings = read_record(row.config.get(kind, {}), _Settings, place, findings)
    return Provider(place, row, kind, settings, options) if settings and options else None


def add_exported(draft: Draft, place: Place, value: Any, *, but: Collection[str]) -> None:
    """Adds a provider of the export, whose OpenID Connect providers have their secrets since ZITADEL 2."""
    if (row := read_record(value, _IdpRow, place, draft.findings)) and row.idp_id not in but:
        idp = row.idp
        if idp.jwt_endpoint:
            draft.jwt_idps.append(
                JwtIdp(
                    id=row.idp_id,
                    name=idp.name,
                    jwt_endpoint=idp.jwt_endpoint,
                    issuer=idp.issuer,
                    keys_endpoint=idp.keys_endpoint,
                    header_name=idp.header_name,
                    auto_register=idp.auto_register,
                )
            )
        elif not idp.client_secret:
            draft.findings.not_moved(place, f"identity provider {idp.name}", NO_SECRET, row.idp_id)
        else:
            draft.findings.counted(CALLBACK)
            draft.oidc_idps.append(
                OidcIdp(
                    id=row.idp_id,
                    name=idp.name,
                    client_id=idp.client_id,
                    client_secret=idp.client_secret,
                    issuer=idp.issuer,
                    scopes=tuple(idp.scopes),
                    display_name_mapping=idp.display_name_mapping,
                    username_mapping=idp.username_mapping,
                    auto_register=idp.auto_register,
                )
            )


def add_listed(draft: Draft, provider: Provider) -> None:
    place, row, kind, settings, _options = provider
    report = Reports(draft.findings, place, f"identity provider {row.name}")
    if kind not in _KINDS:
        report(KIND, kind)
        return
    secret = settings.bind_password if kind == "ldap" else settings.private_key or settings.client_secret
    if not secret and kind != "jwt":
        report(NO_SECRET, row.id)
    elif kind == "ldap":
        _add_ldap(draft, provider, report)
    elif kind == "jwt":
        draft.jwt_idps.append(
            JwtIdp(
                **_common(provider),
                jwt_endpoint=settings.jwt_endpoint,
                issuer=settings.issuer,
                keys_endpoint=settings.keys_endpoint,
                header_name=settings.header_name,
            )
        )
    elif kind in _OAUTH2:
        draft.oauth2_idps.append(_oauth2(provider))
        draft.findings.counted(CALLBACK)
    elif (members := _oidc(provider, report)) is not None:
        client = {"client_id": settings.client_id, "client_secret": settings.client_secret}
        draft.oidc_idps.append(OidcIdp(**_common(provider) | client | members))
        draft.findings.counted(CALLBACK)


def _common(provider: Provider) -> dict[str, Any]:
    options = provider.options
    return {
        "id": provider.row.id,
        "name": provider.row.name,
        "state": ObjectState.INACTIVE if provider.row.state == "IDP_STATE_INACTIVE" else None,
        "auto_register": options.is_auto_creation,
        "provider_options": ProviderOptions(
            is_linking_allowed=options.is_linking_allowed,
            is_creation_allowed=options.is_creation_allowed,
            is_auto_update=options.is_auto_update,
            auto_linking=options.auto_linking,
        ),
    }


def _oauth2(provider: Provider) -> Oauth2Idp:
    settings, preset = provider.settings, _OAUTH2[provider.kind]
    is_plain = preset is Oauth2PresetName.OAUTH2
    return Oauth2Idp(
        **_common(provider),
        preset=preset,
        client_id=settings.client_id,
        client_secret=settings.client_secret,
        authorization_endpoint=settings.authorization_endpoint,
        token_endpoint=settings.token_endpoint,
        userinfo_endpoint=settings.user_endpoint,
        scopes=tuple(settings.scopes) if is_plain else (),
        claims=_claims(settings.id_attribute) if is_plain else None,
    )


def _claims(subject: str) -> UserinfoClaims:
    """ZITADEL stores only the member with the id; its actions read the others."""
    return UserinfoClaims(
        subject=subject or "sub",
        email="email",
        email_verified="email_verified",
        user_name="preferred_username",
        first_name="given_name",
        last_name="family_name",
        display_name="name",
    )


def _oidc(provider: Provider, report: Reports) -> dict[str, Any] | None:
    settings, preset = provider.settings, _OIDC[provider.kind]
    if preset is OidcPresetName.APPLE:
        return apple_members(settings.team_id, settings.key_id, _decoded(settings.private_key))
    if preset is OidcPresetName.ENTRA:
        tenant = settings.tenant
        issuer = microsoft_issuer(tenant.tenant_id or _TENANT_TYPES.get(tenant.tenant_type, tenant.tenant_type), report)
        return None if issuer is None else {"preset": preset, "issuer": issuer}
    # The presets know their scopes.
    scopes = tuple(settings.scopes) if preset is OidcPresetName.OIDC else ()
    return {"preset": preset, "issuer": settings.issuer, "scopes": scopes}


def _add_ldap(draft: Draft, provider: Provider, report: Reports) -> None:
    settings = provider.settings
    if not settings.start_tls and not all(one.startswith("ldaps://") for one in settings.servers):
        report(SCHEME)
        return
    attributes = {_ATTRIBUTES[name]: value for name, value in settings.attributes.items() if name in _ATTRIBUTES}
    attributes["id_attribute"] = id_attribute(settings.attributes.get("idAttribute", ""), report)
    draft.ldap_idps.append(
        LdapIdp(
            **_common(provider),
            servers=tuple(settings.servers),
            start_tls=settings.start_tls,
            base_dn=settings.base_dn,
            bind_dn=settings.bind_dn,
            bind_password=settings.bind_password,
            user_object_classes=tuple(settings.user_object_classes),
            user_filters=tuple(settings.user_filters),
            root_ca=_decoded(settings.root_ca),
            attributes=LdapAttributes(**attributes),
        )
    )


def _decoded(text: str) -> str:
    """Returns the text of a member of bytes, which is base64 in the JSON of protocol buffers, or PEM."""
    try:
        return base64.b64decode(text, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return text
