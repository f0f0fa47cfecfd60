"""Directories as messages: added, replaced and shown; never their password (MG-18)."""

from __future__ import annotations

from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from portico_contracts.generated.portico.management.v1 import idp_ldap_pb2 as pb
from portico_contracts.generated.portico.management.v1.idp_presets_pb2 import AddProviderResponse
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import AddIdp
from portico_users.directory.identity_providers.idp import Idp, Options
from portico_users.directory.identity_providers.ldap import LdapAttributes, LdapConfig
from portico_users.directory.identity_providers.ldap_rules import INVALID_TIMEOUT
from portico_users.kernel.problems import at

USER_BASE: Final = "dn"

OTHER_USER_BASE = ErrorCode(
    "USER-394",
    Kind.INVALID_REQUEST,
    "The bind DN must be the DN of the entry found.",
    "Set dn, or omit it. Use userFilters to find people by another attribute.",
)


async def add_ldap_provider(call: Call[str], request: pb.AddLDAPProviderRequest, *, add: AddIdp) -> AddProviderResponse:
    """Adds a directory with all options. It raises USER-394, and as `AddIdp`."""
    options = options_of(request, Options())
    idp = Idp(id="", org_id=call.target.subject, name=request.name, config=_config(request), options=options)
    record = await add(idp, request.bind_password, actor=call.caller.user_id)
    return AddProviderResponse(details=details_of(record), id=record.id)


def with_ldap(before: Idp, request: pb.UpdateLDAPProviderRequest) -> Idp:
    """With everything but the styling, which this message does not have; USER-394."""
    options = options_of(request, before.options)
    return msgspec.structs.replace(before, name=request.name, config=_config(request), options=options)


def ldap_message(config: LdapConfig) -> pb.LDAPConfig:
    """How entries are found, with the time that is in force."""
    read = config.attributes
    return pb.LDAPConfig(
        servers=config.servers,
        start_tls=config.start_tls,
        base_dn=config.base_dn,
        bind_dn=config.bind_dn,
        user_base=USER_BASE,
        user_object_classes=config.user_object_classes,
        user_filters=config.user_filters,
        timeout=Duration(seconds=config.seconds),
        attributes=pb.LDAPAttributes(**{f"{name}_attribute": getattr(read, name) for name in read.__struct_fields__}),
        root_ca=config.root_ca.encode(),
    )


def _config(request: pb.AddLDAPProviderRequest | pb.UpdateLDAPProviderRequest) -> LdapConfig:
    if request.user_base not in ("", USER_BASE):
        raise at("userBase", OTHER_USER_BASE.error())
    if request.timeout.nanos:
        raise at("timeout", INVALID_TIMEOUT.error())
    read = request.attributes
    return LdapConfig(
        servers=tuple(request.servers),
        start_tls=request.start_tls,
        base_dn=request.base_dn,
        bind_dn=request.bind_dn,
        user_object_classes=tuple(request.user_object_classes),
        user_filters=tuple(request.user_filters),
        timeout=int(request.timeout.seconds),
        # What is no text is no certificate either, and is refused as such.
        root_ca=request.root_ca.decode("ascii", errors="replace"),
        attributes=LdapAttributes(
            **{name: getattr(read, f"{name}_attribute") for name in LdapAttributes.__struct_fields__}
        ),
    )
