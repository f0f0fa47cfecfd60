"""Directories as a document has them."""

from __future__ import annotations

from portico_contracts import apply

from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.ldap import LdapConfig


def ldap_idp(idp: Idp, config: LdapConfig) -> apply.LdapIdp:
    """A directory without its password, its options and its state."""
    read = config.attributes
    return apply.LdapIdp(
        id=idp.id,
        name=idp.name,
        servers=config.servers,
        start_tls=config.start_tls,
        base_dn=config.base_dn,
        bind_dn=config.bind_dn,
        user_object_classes=config.user_object_classes,
        user_filters=config.user_filters,
        timeout=f"{config.timeout}s" if config.timeout else "",
        root_ca=config.root_ca,
        attributes=apply.LdapAttributes(
            **{f"{name}_attribute": getattr(read, name) for name in read.__struct_fields__}
        ),
        auto_register=idp.options.auto_creation,
    )
