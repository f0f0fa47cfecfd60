"""The presets as messages; never shows a secret (MG-18). Special cases are in the file of each preset."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1 import idp_preset_configs_pb2 as configs
from portico_contracts.generated.portico.management.v1 import idp_preset_configs_pb2 as idp_preset_configs_pb
from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as pb

from portico_users.identity_providers.edit_providers import OTHER_KIND
from portico_users.identity_providers.idp import AnyConfig, Idp, OidcConfig
from portico_users.identity_providers.idp_fields import CONFIGS
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.preset_rules import WRONG_PRESET
from portico_users.identity_providers.presets.completed import completed
from portico_users.identity_providers.presets.names import PresetName
from portico_users.management_api.protobuf.messages import MessageValues, Names, message_of
from portico_users.management_api.protobuf.places import Places
from portico_users.values.problems import at

_BEFORE: Final = "https://login.microsoftonline.com/"
_AFTER: Final = "/v2.0"
_TYPES: Final[dict[idp_preset_configs_pb.AzureADTenantType, str]] = {
    idp_preset_configs_pb.AZURE_AD_TENANT_TYPE_COMMON: "common",
    idp_preset_configs_pb.AZURE_AD_TENANT_TYPE_ORGANISATIONS: "organizations",
    idp_preset_configs_pb.AZURE_AD_TENANT_TYPE_CONSUMERS: "consumers",
}
_BY_NAME: Final = {name: number for number, name in _TYPES.items()}


def issuer_of(tenant: idp_preset_configs_pb.AzureADTenant) -> str:
    """Returns the issuer to read discovery from; without a tenant, the issuer for all tenants."""
    name = tenant.tenant_id if tenant.WhichOneof("type") == "tenant_id" else _TYPES[tenant.tenant_type]
    return name if name.startswith("https://") else f"{_BEFORE}{name}{_AFTER}"


def tenant_of(issuer: str) -> idp_preset_configs_pb.AzureADTenant:
    """Returns the tenant of an issuer; the whole issuer if it is on another host (national clouds)."""
    if not (issuer.startswith(_BEFORE) and issuer.endswith(_AFTER)):
        return idp_preset_configs_pb.AzureADTenant(tenant_id=issuer)
    name = issuer.removeprefix(_BEFORE).removesuffix(_AFTER)
    return (
        idp_preset_configs_pb.AzureADTenant(tenant_type=_BY_NAME[name])
        if name in _BY_NAME
        else idp_preset_configs_pb.AzureADTenant(tenant_id=name)
    )


Client = OidcConfig | Oauth2Config
Shown = tuple[pb.ProviderType, pb.ProviderConfig]


@dataclass(frozen=True, slots=True)
class PresetMapping:
    """One preset as messages; ``word`` is the part of method and message names, ``Google`` in ``AddGoogleProvider``."""

    word: str
    blank: Client
    kind: pb.ProviderType
    config: str
    message: type[Message]
    names: Names = field(default_factory=dict)
    read: Callable[[Any], Mapping[str, object]] = lambda _request: {}
    write: Callable[[Any], Mapping[str, object]] = lambda _config: {}
    secret_field: str = "client_secret"
    others: Mapping[str, str] = field(default_factory=dict)
    """Further fields whose values `read` has from another one."""

    @property
    def places(self) -> Places:
        """Where errors of the record are in the message; those of the items of a list keep their numbers."""
        renamed = {"client_secret": self.secret_field, **self.others}
        for name, of_message in self.names.items():
            if isinstance(of_message, str):
                renamed[name] = of_message
            else:
                renamed |= {f"{name}.{inner}": str(flat) for inner, flat in of_message.items()}
        return [(rf"{re.escape(_camel(old))}(\[\d+\])?", rf"{_camel(new)}\1") for old, new in renamed.items()]

    def added(self, request: Message) -> AnyConfig:
        """The new configuration. Raises USER-624 for a preset that has its own methods."""
        wanted = msgspec.structs.replace(self.blank, **self._values(request))
        if not self._serves(wanted):
            raise at("preset", WRONG_PRESET.error())
        return wanted

    def changed(self, before: Idp, request: Message) -> AnyConfig:
        """Returns the updated configuration; values absent from the message stay."""
        config = before.config
        if not isinstance(config, type(self.blank)) or not self._serves(config):
            raise OTHER_KIND.error()
        values = self._values(request)
        for name, members in self.names.items():
            if not isinstance(members, str):
                # The message has some members of this object, each by itself; the others stay.
                given = {member: getattr(values[name], member) for member in members}
                values[name] = msgspec.structs.replace(getattr(config, name), **given)
        if isinstance(config, Oauth2Config) and values.get("userinfo_endpoint") not in (None, config.userinfo_endpoint):
            # No message has the address of the emails, which belongs to the user endpoint before.
            values["emails_endpoint"] = ""
        wanted = completed(msgspec.structs.replace(config, **values))
        if "trusted_email" in values or not isinstance(wanted, OidcConfig | Oauth2Config):
            return wanted
        return wanted.trusted_like(config)

    def secret(self, request: Message) -> str:
        """The client secret, or the private key; what is not text is not PEM either, and is refused as such."""
        value = getattr(request, self.secret_field)
        return value.decode("ascii", errors="replace") if isinstance(value, bytes) else str(value)

    def shown(self, config: Client, *, has_secret: bool) -> Shown:
        """The type and the configuration of a provider."""
        others = dict(self.write(config))
        if "has_client_secret" in self.message.DESCRIPTOR.fields_by_name:
            others["has_client_secret"] = has_secret
        if config.preset is self.blank.preset and "preset" in self.message.DESCRIPTOR.fields_by_name:
            others["preset"] = ""
        shown = pb.ProviderConfig()
        getattr(shown, self.config).CopyFrom(
            message_of(self.message, CONFIGS[type(config)], config, self.names, **others)
        )
        return self.kind, shown

    def _serves(self, config: Client) -> bool:
        """The generic methods also serve the presets that have none of their own."""
        return _BY_PRESET.get(config.preset, _generic(config)) is self

    def _values(self, request: Message) -> dict[str, object]:
        return {**CONFIGS[type(self.blank)].values(MessageValues(request, self.names)), **self.read(request)}


def _camel(path: str) -> str:
    return re.sub(r"_(.)", lambda found: found[1].upper(), path)


def _oidc(preset: PresetName) -> OidcConfig:
    return OidcConfig(issuer="", client_id="", preset=preset)


def _oauth2(preset: PresetName) -> Oauth2Config:
    return Oauth2Config(client_id="", preset=preset)


_USER_ENDPOINT: Final[Names] = {"userinfo_endpoint": "user_endpoint"}
_CLAIMS: Final[Names] = {
    "subject": "id_attribute",
    "email": "email_attribute",
    "email_verified": "email_verified_attribute",
    "user_name": "user_name_attribute",
    "first_name": "first_name_attribute",
    "last_name": "last_name_attribute",
    "display_name": "display_name_attribute",
}

GENERIC_OIDC: Final = PresetMapping(
    "GenericOIDC", _oidc(PresetName.OIDC), pb.PROVIDER_TYPE_OIDC, "oidc", pb.GenericOIDCConfig
)
GENERIC_OAUTH: Final = PresetMapping(
    "GenericOAuth",
    _oauth2(PresetName.OAUTH2),
    pb.PROVIDER_TYPE_OAUTH,
    "oauth",
    configs.OAuthConfig,
    {**_USER_ENDPOINT, "claims": _CLAIMS},
)
GOOGLE: Final = PresetMapping(
    "Google", _oidc(PresetName.GOOGLE), pb.PROVIDER_TYPE_GOOGLE, "google", configs.GoogleConfig
)
AZURE_AD: Final = PresetMapping(
    "AzureAD",
    _oidc(PresetName.ENTRA),
    pb.PROVIDER_TYPE_AZURE_AD,
    "azure_ad",
    configs.AzureADConfig,
    {"trusted_email": "email_verified", "tenants": "allowed_tenants"},
    read=lambda request: {"issuer": issuer_of(request.tenant)},
    write=lambda config: {"tenant": tenant_of(config.issuer)},
    others={"issuer": "tenant.tenant_id"},
)
PRESET_MAPPINGS: Final = (
    GENERIC_OIDC,
    GENERIC_OAUTH,
    GOOGLE,
    AZURE_AD,
    PresetMapping("GitHub", _oauth2(PresetName.GITHUB), pb.PROVIDER_TYPE_GITHUB, "github", configs.GitHubConfig),
    PresetMapping(
        "GitHubEnterpriseServer",
        _oauth2(PresetName.GITHUB_ENTERPRISE),
        pb.PROVIDER_TYPE_GITHUB_ES,
        "github_es",
        configs.GitHubEnterpriseServerConfig,
        _USER_ENDPOINT,
    ),
    PresetMapping("GitLab", _oidc(PresetName.GITLAB), pb.PROVIDER_TYPE_GITLAB, "gitlab", configs.GitLabConfig),
    PresetMapping(
        "GitLabSelfHosted",
        _oidc(PresetName.GITLAB_SELF_MANAGED),
        pb.PROVIDER_TYPE_GITLAB_SELF_HOSTED,
        "gitlab_self_hosted",
        configs.GitLabSelfHostedConfig,
    ),
    PresetMapping(
        "Apple",
        _oidc(PresetName.APPLE),
        pb.PROVIDER_TYPE_APPLE,
        "apple",
        configs.AppleConfig,
        secret_field="private_key",
    ),
)
_BY_PRESET: Final = {mapping.blank.preset: mapping for mapping in PRESET_MAPPINGS}


def shown_preset(config: Client, *, has_secret: bool) -> Shown:
    return _BY_PRESET.get(config.preset, _generic(config)).shown(config, has_secret=has_secret)


def _generic(config: Client) -> PresetMapping:
    return GENERIC_OIDC if isinstance(config, OidcConfig) else GENERIC_OAUTH
