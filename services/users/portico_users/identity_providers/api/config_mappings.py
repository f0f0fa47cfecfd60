"""Which configuration of an identity provider a request gives, where there is no preset: JWT, LDAP and older messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1 import idp_ldap_pb2
from portico_oauth.errors import ErrorCode, Kind

from portico_users.identity_providers.edit_providers import OTHER_KIND
from portico_users.identity_providers.idp import AnyConfig, Idp, OidcConfig
from portico_users.identity_providers.idp_fields import JWT, LDAP, OIDC
from portico_users.identity_providers.ldap_rules import INVALID_TIMEOUT
from portico_users.identity_providers.presets.names import PresetName
from portico_users.management_api.protobuf.messages import MessageValues
from portico_users.management_api.protobuf.places import Places
from portico_users.values.fields import Fields
from portico_users.values.problems import at

USER_BASE: Final = "dn"

OTHER_USER_BASE = ErrorCode(
    "USER-394",
    Kind.INVALID_REQUEST,
    "The bind DN must be the DN of the entry found.",
    "Set dn, or omit it. Use userFilters to find people by another attribute.",
)


class ConfigMapping(Protocol):
    """How requests for one kind of identity provider are read."""

    @property
    def places(self) -> Places:
        """Fields that have another name in the record."""
        ...

    def added(self, request: Message, /) -> AnyConfig:
        """The configuration of a new one."""
        ...

    def changed(self, before: Idp, request: Message, /) -> AnyConfig:
        """The configuration as an update leaves it."""
        ...

    def secret(self, request: Message, /) -> str:
        """The secret that is sealed; empty for none."""
        ...


def _accept(_request: Any) -> None:
    """Every request is accepted."""


@dataclass(frozen=True, slots=True)
class WholeConfig:
    """Requests that replace the whole configuration; ``check`` refuses a request before it is read."""

    fields: Fields[Any, Any]
    secret_field: str = ""
    check: Callable[[Any], None] = _accept
    places: Places = ()

    def added(self, request: Message) -> AnyConfig:
        """The configuration of a request. Raises as `check`."""
        self.check(request)
        config: AnyConfig = self.fields.new(MessageValues(request))
        return config

    def changed(self, _before: Idp, request: Message) -> AnyConfig:
        """The configuration of a request. Raises as `check`."""
        return self.added(request)

    def secret(self, request: Message) -> str:
        return str(getattr(request, self.secret_field)) if self.secret_field else ""


class OlderOidc(WholeConfig):
    """Requests of the older methods for OpenID Connect providers, which have neither presets nor trust.

    An update without a secret keeps the stored one.
    """

    def changed(self, before: Idp, request: Message) -> OidcConfig:
        config = before.config
        if not isinstance(config, OidcConfig) or config.preset is not PresetName.OIDC:
            raise OTHER_KIND.error()
        kept = OidcConfig(issuer="", client_id="", auth_method=config.auth_method, key_id=config.key_id)
        return OIDC.changed(kept, MessageValues(request)).trusted_like(config)


def _check_ldap(request: idp_ldap_pb2.AddLDAPProviderRequest | idp_ldap_pb2.UpdateLDAPProviderRequest) -> None:
    if request.user_base not in ("", USER_BASE):
        raise at("userBase", OTHER_USER_BASE.error())
    if request.timeout.nanos:
        raise at("timeout", INVALID_TIMEOUT.error())


JWT_CONFIG: Final = WholeConfig(JWT)
LDAP_CONFIG: Final = WholeConfig(LDAP, "bind_password", _check_ldap)
OLDER_OIDC: Final = OlderOidc(OIDC, "client_secret")
