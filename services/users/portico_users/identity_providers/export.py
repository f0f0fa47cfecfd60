from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec
from portico_contracts.apply import AcceptedAssertions as DeclaredAssertions
from portico_contracts.apply import GroupGrant, JwtIdp, LdapIdp, MappedGroup, Oauth2Idp, OidcIdp, ProviderGroups

from portico_users.documents.written import Notes
from portico_users.identity_providers.assertions.accepted import AcceptedAssertions
from portico_users.identity_providers.assertions.fields import ACCEPTED
from portico_users.identity_providers.claim_tables import ClaimTables
from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig, Options
from portico_users.identity_providers.idp_fields import IDP, JWT, LDAP, OAUTH2, OIDC, OPTIONS
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.oauth2_config import Oauth2Config

_NO_SECRET = "clientSecret is not exported. Set it when you apply to a new installation."
_NO_PASSWORD = "bindPassword is not exported. Set it when you apply to a new installation."


@dataclass(frozen=True, slots=True)
class WrittenIdps:
    jwt: list[JwtIdp] = field(default_factory=list)
    oidc: list[OidcIdp] = field(default_factory=list)
    oauth2: list[Oauth2Idp] = field(default_factory=list)
    ldap: list[LdapIdp] = field(default_factory=list)

    @property
    def lists(self) -> dict[str, object]:
        return {
            "jwt_idps": tuple(self.jwt) or None,
            "oidc_idps": tuple(self.oidc) or None,
            "oauth2_idps": tuple(self.oauth2) or None,
            "ldap_idps": tuple(self.ldap) or None,
        }


def written_idps(found: Iterable[Idp], notes: Notes) -> WrittenIdps:
    written = WrittenIdps()
    for idp in found:
        values = _shared(idp)
        match idp.config:
            case JwtConfig() as config:
                written.jwt.append(JWT.document(config, **values, **_tables(idp.tables)))
            case OidcConfig() as config:
                accepted = _accepted(idp.assertions)
                written.oidc.append(
                    OIDC.document(config, **values, **_tables(idp.tables), accepted_assertions=accepted)
                )
            case Oauth2Config() as config:
                written.oauth2.append(OAUTH2.document(config, **values, **_tables(idp.tables)))
            case LdapConfig() as config:
                written.ldap.append(LDAP.document(config, **values, groups=_groups(idp.tables)))
                notes.add(idp.id, _NO_PASSWORD)
                continue
        if idp.sealed_secret:
            notes.add(idp.id, _NO_SECRET)
    return written


def _shared(idp: Idp) -> dict[str, object]:
    """What documents declare of providers of every kind; options at their defaults are left out."""
    is_plain = msgspec.structs.replace(idp.options, auto_creation=False) == Options()
    return {
        **IDP.declared(idp),
        "id": idp.id,
        "auto_register": idp.options.auto_creation,
        "provider_options": None if is_plain else OPTIONS.document(idp.options),
    }


def _groups(tables: ClaimTables) -> ProviderGroups | None:
    if not tables.group_names:
        return None
    grants = [GroupGrant(group=one.group, project=one.project_id, role_keys=one.role_keys) for one in tables.groups]
    groups = [MappedGroup(group=one.group, to=one.group_id) for one in tables.memberships]
    return ProviderGroups(claim=tables.groups_claim, grants=tuple(grants), groups=tuple(groups))


def _tables(tables: ClaimTables) -> dict[str, object]:
    return {
        "groups": _groups(tables),
        "metadata": {one.claim: one.key for one in tables.metadata} or None,
        "amr": {one.value: one.methods for one in tables.amr} or None,
    }


def _accepted(assertions: AcceptedAssertions) -> DeclaredAssertions | None:
    return ACCEPTED.document(assertions) if assertions.rules else None
