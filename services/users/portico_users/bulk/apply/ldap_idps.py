"""Directories of a document as they are configured."""

from __future__ import annotations

import re
from typing import Final

from portico_contracts.apply import LdapIdp

from portico_users.directory.identity_providers.ldap import LdapAttributes, LdapConfig

ATTRIBUTES: Final = tuple(LdapAttributes.__struct_fields__)
"""Each is ``…Attribute`` in documents and in the API."""

_SECONDS: Final = re.compile(r"(\d{1,9})(?:\.0{1,9})?s\Z", re.ASCII)
_NO_SECONDS: Final = -1


def ldap_config(wanted: LdapIdp) -> LdapConfig:
    """The configuration a document states; whatever is no whole number of seconds is refused with the other values."""
    seconds = _SECONDS.match(wanted.timeout)
    return LdapConfig(
        servers=wanted.servers,
        start_tls=wanted.start_tls,
        base_dn=wanted.base_dn,
        bind_dn=wanted.bind_dn,
        user_object_classes=wanted.user_object_classes,
        user_filters=wanted.user_filters,
        timeout=int(seconds[1]) if seconds else _NO_SECONDS if wanted.timeout else 0,
        root_ca=wanted.root_ca,
        attributes=LdapAttributes(
            **{name: getattr(wanted.attributes, f"{name}_attribute") for name in ATTRIBUTES},
        ),
    )
