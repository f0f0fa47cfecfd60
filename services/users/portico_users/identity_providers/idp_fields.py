"""The fields of identity providers, by which the management API, apply and export read and write them."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from typing import Any, Final, cast

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import (
    AutoLinkingOption,
    MappingField,
    Oauth2PresetName,
    OidcPresetName,
    ProviderAuthMethod,
    StylingType,
)

from portico_users.identity_providers.idp import (
    AnyConfig,
    AutoLinking,
    Idp,
    JwtConfig,
    Mapping,
    OidcConfig,
    Options,
    Styling,
)
from portico_users.identity_providers.ldap import LdapAttributes, LdapConfig
from portico_users.identity_providers.oauth2_config import ClaimPaths, Oauth2Config
from portico_users.identity_providers.preset_rules import WRONG_PRESET
from portico_users.identity_providers.presets.names import AuthMethod, PresetName
from portico_users.values.fields import MISSING, STATE, Field, Fields, Source, Words

_SECONDS: Final = re.compile(r"(\d{1,9})(?:\.0{1,9})?s\Z", re.ASCII)
_NO_SECONDS: Final = -1


class _Preset:
    """The presets of one protocol; documents refuse other names beforehand, messages do not."""

    def __init__(self, names: type[OidcPresetName | Oauth2PresetName]) -> None:
        self._names = names

    def read(self, value: object) -> PresetName:
        """The preset of a name. Raises USER-624."""
        if value not in set(self._names):
            raise WRONG_PRESET.error()
        return PresetName(str(value))

    def write(self, value: object) -> object:
        return self._names(str(value))


class _Timeout:
    def read(self, value: object) -> int:
        """Whatever is not a whole number of seconds is refused with the other values."""
        seconds = _SECONDS.match(str(value))
        return int(seconds[1]) if seconds else _NO_SECONDS if value else 0

    def write(self, value: object) -> str:
        return f"{value}s" if value else ""


_AUTH_METHOD: Final = Field("auth_method", conversion=Words({one: AuthMethod(one.value) for one in ProviderAuthMethod}))
_MAPPINGS: Final = Words(
    {
        MappingField.UNSPECIFIED: Mapping.UNSPECIFIED,
        MappingField.PREFERRED_USERNAME: Mapping.PREFERRED_USERNAME,
        MappingField.EMAIL: Mapping.EMAIL,
    }
)

IDP: Final = Fields(
    Idp,
    document.OidcIdp,
    (
        STATE,
        Field(
            "styling",
            "styling_type",
            Words({StylingType.UNSPECIFIED: Styling.UNSPECIFIED, StylingType.GOOGLE: Styling.GOOGLE}),
        ),
    ),
    hidden=("config", "options", "sealed_secret", "tables", "assertions"),
)
"""What providers of all kinds have, besides their options."""

OPTIONS: Final = Fields(
    Options,
    document.ProviderOptions,
    (
        Field("linking", "is_linking_allowed"),
        Field("creation", "is_creation_allowed"),
        Field("auto_creation", "is_auto_creation"),
        Field("auto_update", "is_auto_update"),
        Field(
            "auto_linking",
            conversion=Words(
                {
                    AutoLinkingOption.UNSPECIFIED: AutoLinking.NONE,
                    AutoLinkingOption.USERNAME: AutoLinking.USERNAME,
                    AutoLinkingOption.EMAIL: AutoLinking.EMAIL,
                }
            ),
        ),
    ),
)
JWT: Final = Fields(JwtConfig, document.JwtIdp)
OIDC: Final = Fields(
    OidcConfig,
    document.OidcIdp,
    (
        _AUTH_METHOD,
        Field("preset", conversion=_Preset(OidcPresetName)),
        Field("display_name_mapping", conversion=_MAPPINGS),
        Field("username_mapping", conversion=_MAPPINGS),
    ),
)
OAUTH2: Final = Fields(
    Oauth2Config,
    document.Oauth2Idp,
    (
        _AUTH_METHOD,
        Field("preset", conversion=_Preset(Oauth2PresetName)),
        Field("claims", conversion=Fields(ClaimPaths, document.UserinfoClaims)),
    ),
)
LDAP: Final = Fields(
    LdapConfig,
    document.LdapIdp,
    (
        Field("timeout", conversion=_Timeout()),
        Field(
            "attributes",
            conversion=Fields(
                LdapAttributes,
                document.LdapAttributes,
                [Field(name, f"{name}_attribute") for name in LdapAttributes.__struct_fields__],
            ),
        ),
    ),
)
CONFIGS: Final[MappingOf[type[AnyConfig], Fields[Any, Any]]] = {
    fields.record: fields for fields in (JWT, OIDC, OAUTH2, LDAP)
}
"""By the kind of its configuration."""


def with_values(idp: Idp, source: Source) -> Idp:
    """The provider with the name, the state, the styling and the options that a source states."""
    options, created, declared = idp.options, source.find("auto_register"), source.find("provider_options")
    if created is not MISSING:
        options = msgspec.structs.replace(options, auto_creation=created)
    if declared is not MISSING:
        options = OPTIONS.changed(options, cast("Source", declared))
    return msgspec.structs.replace(IDP.changed(idp, source), options=options)
