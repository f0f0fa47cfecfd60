"""Identity providers and directories of a Keycloak realm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from portico_contracts.apply import (
    LdapAttributes,
    LdapIdp,
    Oauth2Idp,
    Oauth2PresetName,
    OidcIdp,
    OidcPresetName,
    UserinfoClaims,
)
from portico_contracts.apply.vocabulary import ObjectState, ProviderAuthMethod

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.old_client import is_masked
from portico_conversion.applications.providers import (
    CALLBACK,
    DIRECTORY,
    FILTER,
    KIND,
    NO_ISSUER,
    NO_SECRET,
    SCHEME,
    apple_members,
    id_attribute,
    microsoft_issuer,
    provider_id,
)
from portico_conversion.findings import Place, Reports
from portico_conversion.reading.read_members import ReadMembers
from portico_conversion.reading.records import Record

CLAIM: Final = "the condition of a claim: every user of the provider can sign in here"
ORGANIZATION: Final = "the organization of a provider: users with every email domain can sign in here"
FLOW: Final = "the flow after a sign-in with the provider: its conditions do not apply here"
FIRST_FLOW: Final = "the flow of the first sign-in with the provider: its conditions do not apply here"
METHOD: Final = "an authentication method at the provider: the one that its discovery document lists is used"
MAPPER: Final = "a mapper of the directory: groups and roles of its entries are not read"
OTHER_MAPPER: Final = "a mapper of the directory"
ONE_LEVEL: Final = "a search of one level: entries at all levels below the base DN can sign in here"

_PRESETS: Final = {
    "google": OidcPresetName.GOOGLE,
    "oidc": OidcPresetName.OIDC,
    "keycloak-oidc": OidcPresetName.KEYCLOAK,
    "gitlab": OidcPresetName.GITLAB,
    "linkedin-openid-connect": OidcPresetName.LINKEDIN,
}
_WITH_ISSUER: Final = (OidcPresetName.OIDC, OidcPresetName.KEYCLOAK)
_OAUTH2: Final = ("github", "facebook", "oauth2")
_OIDC: Final = (*_PRESETS, "microsoft", "apple")
_METHODS: Final = {
    "client_secret_post": ProviderAuthMethod.CLIENT_SECRET_POST,
    "client_secret_basic": ProviderAuthMethod.CLIENT_SECRET_BASIC,
}
_FIRST_FLOWS: Final = ("", "first broker login")
_GROUPS_AND_ROLES: Final = (
    "group-ldap-mapper",
    "role-ldap-mapper",
    "hardcoded-ldap-role-mapper",
    "hardcoded-ldap-group-mapper",
)
_OWN_ATTRIBUTES: Final = ("createTimestamp", "modifyTimestamp")
_WITHOUT_MEANING: Final = ("msad-user-account-control-mapper", "msad-lds-user-account-control-mapper")
_STORAGE: Final = "org.keycloak.storage.UserStorageProvider"
_LDAP_ATTRIBUTES: Final = {
    "username": "preferred_username_attribute",
    "firstName": "first_name_attribute",
    "lastName": "last_name_attribute",
    "email": "email_attribute",
}


_OF_PROVIDERS: Final = frozenset(
    {"internalId", "types", "updateProfileFirstLoginMode", "addReadTokenRoleOnCreate", "storeToken"}
)
_OF_PROVIDER_CONFIG: Final = frozenset(
    {
        "syncMode",
        "guiOrder",
        "useJwksUrl",
        "jwksUrl",
        "validateSignature",
        "authorizationUrl",
        "tokenUrl",
        "userInfoUrl",
        "logoutUrl",
        "metadataDescriptorUrl",
        "pkceEnabled",
        "pkceMethod",
        "backchannelSupported",
        "hideOnLoginPage",
    }
)
_OF_COMPONENTS: Final = frozenset({"id", "subType", "parentId"})
_OF_DIRECTORY_CONFIG: Final = frozenset(
    {
        "priority",
        "pagination",
        "fullSyncPeriod",
        "changedSyncPeriod",
        "cachePolicy",
        "batchSizeForSync",
        "editMode",
        "importEnabled",
        "syncRegistrations",
        "vendor",
        "connectionPooling",
        "connectionTimeout",
        "readTimeout",
        "useTruststoreSpi",
        "authType",
        "rdnLDAPAttribute",
        "usePasswordModifyExtendedOp",
        "validatePasswordPolicy",
        "lastSync",
        "searchScope",
        "krbPrincipalAttribute",
        "connectionTrace",
    }
)


class Provider(Record, frozen=True):
    alias: str
    provider_id: str
    display_name: str = ""
    enabled: bool = True
    trust_email: bool = False
    link_only: bool = False
    organization_id: str = ""
    post_broker_login_flow_alias: str = ""
    first_broker_login_flow_alias: str = ""
    config: dict[str, str] = {}

    whole = True
    usual = _OF_PROVIDERS

    @property
    def title(self) -> str:
        return f"identity provider {self.alias}"


class _LdapMapper(Record, frozen=True):
    name: str = ""
    provider_id: str = ""
    config: dict[str, list[str]] = {}

    usual = _OF_COMPONENTS


class Component(Record, frozen=True):
    name: str = ""
    provider_id: str = ""
    config: dict[str, list[str]] = {}
    sub_components: dict[str, list[_LdapMapper]] = {}

    whole = True
    usual = _OF_COMPONENTS

    @property
    def title(self) -> str:
        return f"user federation {self.name}"


def add_provider(draft: Draft, place: Place, provider: Provider) -> None:
    kind, config = provider.provider_id, ReadMembers(provider.config)
    report = Reports(draft.findings, place, provider.title)
    # Extensions for Apple store its key under one of these names.
    secret = config.get("p8Content" if kind == "apple" else "clientSecret") or config.get("clientSecret", "")
    if kind not in (*_OAUTH2, *_OIDC):
        report(KIND, kind)
        return
    if not secret or is_masked(secret):
        report(NO_SECRET)
        return
    common: dict[str, Any] = {
        "id": provider_id(draft.id, provider.alias),
        "name": provider.display_name or provider.alias,
        "client_id": config.get("clientId", ""),
        "client_secret": secret,
        "auto_register": not provider.link_only,
        "state": None if provider.enabled else ObjectState.INACTIVE,
    }
    if kind in _OAUTH2:
        more = _oauth2_of(kind, config, report)
        draft.oauth2_idps.append(Oauth2Idp(**common | {"trusted_email": provider.trust_email} | more))
    elif (oidc := _oidc(kind, config, secret, report)) is None:
        return
    else:
        draft.oidc_idps.append(OidcIdp(**common | {"trusted_email": provider.trust_email} | oidc))
    draft.findings.counted(CALLBACK)
    _report_conditions(provider, config, report)
    config.report_others(report, draft.findings, _OF_PROVIDER_CONFIG)


def _report_conditions(provider: Provider, config: ReadMembers, report: Reports) -> None:
    if config.get("filteredByClaim") == "true":
        report(CLAIM, f"filteredByClaim: {config.get('claimFilterName', '')}={config.get('claimFilterValue', '')}")
    if provider.organization_id or config.get("kc.org.domain"):
        report(ORGANIZATION, config.get("kc.org.domain", ""))
    if provider.post_broker_login_flow_alias:
        report(FLOW, provider.post_broker_login_flow_alias)
    if provider.first_broker_login_flow_alias not in _FIRST_FLOWS:
        report(FIRST_FLOW, provider.first_broker_login_flow_alias)


def _oauth2_of(kind: str, config: ReadMembers, report: Reports) -> dict[str, Any]:
    match kind:
        case "github":
            return _github(config)
        case "facebook":
            return {"preset": Oauth2PresetName.FACEBOOK}
        case _:
            return _oauth2(config, report)


def _github(config: ReadMembers) -> dict[str, Any]:
    base, api = config.get("baseUrl", "").rstrip("/"), config.get("apiUrl", "").rstrip("/")
    if not base:
        return {"preset": Oauth2PresetName.GITHUB}
    return {
        "preset": Oauth2PresetName.GITHUB_ENTERPRISE,
        "authorization_endpoint": f"{base}/login/oauth/authorize",
        "token_endpoint": f"{base}/login/oauth/access_token",
        "userinfo_endpoint": f"{api or base + '/api/v3'}/user",
    }


def _oauth2(config: ReadMembers, report: Reports) -> dict[str, Any]:
    return {
        "authorization_endpoint": config.get("authorizationUrl", ""),
        "token_endpoint": config.get("tokenUrl", ""),
        "userinfo_endpoint": config.get("userInfoUrl", ""),
        "auth_method": _auth_method(config, report),
        "scopes": tuple(config.get("defaultScope", "").split()),
        "claims": UserinfoClaims(
            subject=config.get("userIDClaim", "sub"),
            email=config.get("emailClaim", "email"),
            user_name=config.get("userNameClaim", "preferred_username"),
            display_name=config.get("fullNameClaim", "name"),
            first_name=config.get("givenNameClaim", "given_name"),
            last_name=config.get("familyNameClaim", "family_name"),
        ),
    }


def _oidc(kind: str, config: ReadMembers, secret: str, report: Reports) -> dict[str, Any] | None:
    if kind == "apple":
        return apple_members(config.get("teamId", ""), config.get("keyId", ""), secret)
    if kind == "microsoft":
        issuer = microsoft_issuer(config.get("tenantId", ""), report)
        return None if issuer is None else {"preset": OidcPresetName.ENTRA, "issuer": issuer}
    preset, issuer = _PRESETS[kind], config.get("issuer", "")
    if preset in _WITH_ISSUER and not issuer:
        report(NO_ISSUER)
        return None
    return {
        "preset": preset,
        "issuer": issuer if preset in _WITH_ISSUER else "",
        "auth_method": _auth_method(config, report),
        "scopes": tuple(config.get("defaultScope", "").split()),
        "hosted_domains": _domains(config.get("hostedDomain", "")),
    }


def _auth_method(config: ReadMembers, report: Reports) -> ProviderAuthMethod | None:
    name = config.get("clientAuthMethod")
    if name and name not in _METHODS:
        report(METHOD, name)
    return _METHODS.get(name)


def _domains(text: str) -> tuple[str, ...] | None:
    """Keycloak accepts several domains, and every account for ``*``."""
    return None if text == "*" else tuple(filter(None, (one.strip() for one in text.split(",")))) or None


def add_directories(draft: Draft, place: Place, components: Mapping[str, Sequence[Component]]) -> None:
    for one in components.get(_STORAGE, ()):
        _add_directory(draft, place, one)


def _add_directory(draft: Draft, place: Place, component: Component) -> None:
    config = ReadMembers({name: values[0] for name, values in component.config.items() if values})
    report = Reports(draft.findings, place, component.title)
    servers, password = tuple(config.get("connectionUrl", "").split()), config.get("bindCredential", "")
    start_tls = config.get("startTls") == "true"
    if component.provider_id != "ldap" or not servers or not password or is_masked(password):
        report(DIRECTORY, component.provider_id)
        return
    if not start_tls and not all(one.startswith("ldaps://") for one in servers):
        report(SCHEME)
        return
    if search_filter := config.get("customUserSearchFilter", "").strip():
        report(FILTER, f"customUserSearchFilter: {search_filter}")
    if config.get("searchScope") == "1":
        report(ONE_LEVEL, "searchScope: 1")
    for mapper in _mappers(component):
        if mapper.provider_id in _GROUPS_AND_ROLES:
            report(MAPPER, f"{mapper.name}, {mapper.provider_id}")
        elif not _is_read(mapper):
            report(OTHER_MAPPER, f"{mapper.name}, {mapper.provider_id}")
    draft.ldap_idps.append(
        LdapIdp(
            id=provider_id(draft.id, component.name),
            name=component.name,
            servers=servers,
            base_dn=config.get("usersDn", ""),
            bind_dn=config.get("bindDn", ""),
            bind_password=password,
            user_filters=(config.get("usernameLDAPAttribute", "uid"),),
            user_object_classes=tuple(one.strip() for one in config.get("userObjectClasses", "").split(",") if one),
            start_tls=start_tls,
            attributes=_attributes(component, id_attribute(config.get("uuidLDAPAttribute", ""), report)),
            state=None if config.get("enabled", "true") == "true" else ObjectState.INACTIVE,
        )
    )
    config.report_others(report, draft.findings, _OF_DIRECTORY_CONFIG)


def _attributes(component: Component, user_id: str) -> LdapAttributes:
    found = {"id_attribute": user_id}
    for mapper in _mappers(component):
        ours = _LDAP_ATTRIBUTES.get(_first(mapper, "user.model.attribute"))
        if ours:
            found[ours] = _first(mapper, "ldap.attribute")
    return LdapAttributes(**found)


def _is_read(mapper: _LdapMapper) -> bool:
    """Reports whether it maps an attribute that is read here, or one of Keycloak's own without a user."""
    name = _first(mapper, "user.model.attribute")
    return name in {*_LDAP_ATTRIBUTES, *_OWN_ATTRIBUTES} or mapper.provider_id in _WITHOUT_MEANING


def _mappers(component: Component) -> list[_LdapMapper]:
    return [one for ones in component.sub_components.values() for one in ones]


def _first(mapper: _LdapMapper, name: str) -> str:
    return next(iter(mapper.config.get(name, ())), "")
