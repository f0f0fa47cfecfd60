from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.apply import ClaimTables, Document, JwtIdp, LdapIdp, Oauth2Idp, OidcIdp, Organization

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedGroups
from portico_users.documents.step import Step, Subject, step_of
from portico_users.identity_providers import claim_tables
from portico_users.identity_providers.assertions.accepted import NONE_ACCEPTED, AcceptedAssertions
from portico_users.identity_providers.assertions.fields import ACCEPTED
from portico_users.identity_providers.claim_tables import MetadataClaim, TrustedMethod
from portico_users.identity_providers.edit_providers import AddIdp, UpdateIdp, keeps_secret
from portico_users.identity_providers.idp import AnyConfig, Idp, OidcConfig
from portico_users.identity_providers.idp_fields import JWT, LDAP, OAUTH2, OIDC, with_values
from portico_users.identity_providers.issuers import is_same_issuer
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.presets.completed import completed
from portico_users.identity_providers.presets.names import PresetName
from portico_users.identity_providers.store import MongoIdps
from portico_users.storage.schema import IdSpace
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import below
from portico_users.values.records import State

AnyIdp = JwtIdp | OidcIdp | Oauth2Idp | LdapIdp


def config_of(wanted: AnyIdp, before: AnyConfig | None) -> AnyConfig:
    match wanted:
        case JwtIdp():
            return JWT.new(DeclaredValues(wanted))
        case OidcIdp():
            return _oidc(wanted, before)
        case Oauth2Idp():
            return _oauth2(wanted, before)
        case LdapIdp():
            return LDAP.new(DeclaredValues(wanted))


def tables_of(wanted: ClaimTables | LdapIdp, before: Idp | None, config: AnyConfig) -> claim_tables.ClaimTables:
    """Keeps the stored groups: new ones may refer to projects that are not planned yet."""
    tables = before.tables if before else claim_tables.ClaimTables()
    if before and not is_same_issuer(config.issuer, before.config.issuer):
        tables = tables.without_trust()
    if isinstance(wanted, LdapIdp):
        return tables
    if wanted.metadata is not None:
        lines = tuple(MetadataClaim(claim=claim, key=key) for claim, key in sorted(wanted.metadata.items()))
        tables = msgspec.structs.replace(tables, metadata=lines)
    if wanted.amr is not None:
        trusted = tuple(TrustedMethod(value=value, methods=methods) for value, methods in sorted(wanted.amr.items()))
        tables = msgspec.structs.replace(tables, amr=trusted)
    return tables


def assertions_of(wanted: AnyIdp, before: Idp | None, config: AnyConfig) -> AcceptedAssertions:
    """Keeps what is stored, unless the issuer changes."""
    if isinstance(wanted, OidcIdp) and wanted.accepted_assertions is not None:
        return ACCEPTED.new(DeclaredValues(wanted.accepted_assertions))
    is_kept = before is not None and is_same_issuer(config.issuer, before.config.issuer)
    return before.assertions if before and is_kept else NONE_ACCEPTED


def _oidc(wanted: OidcIdp, before: AnyConfig | None) -> AnyConfig:
    config = before if isinstance(before, OidcConfig) else OidcConfig(issuer="", client_id="")
    if wanted.preset is not None and wanted.preset.value != config.preset.value:
        mappings = {name: getattr(config, name) for name in ("display_name_mapping", "username_mapping")}
        config = OidcConfig(issuer=config.issuer, client_id="", trusted_email=config.trusted_email, **mappings)
    after = completed(OIDC.changed(config, DeclaredValues(wanted)))
    is_stated = wanted.trusted_email is not None
    return after if is_stated or before is None or not isinstance(after, OidcConfig) else after.trusted_like(before)


def _oauth2(wanted: Oauth2Idp, before: AnyConfig | None) -> AnyConfig:
    preset = before.preset if isinstance(before, Oauth2Config) else PresetName.OAUTH2
    after = completed(OAUTH2.changed(Oauth2Config(client_id="", preset=preset), DeclaredValues(wanted)))
    is_stated = wanted.trusted_email is not None
    return after if is_stated or not isinstance(after, Oauth2Config) else after.trusted_like(before)


@dataclass(frozen=True, slots=True)
class IdpPlanner:
    idps: MongoIdps
    ids: IdSpace
    add_idp: AddIdp
    update_idp: UpdateIdp

    async def plan_idps(
        self, plan: Plan, owner_id: str, wanted: Organization | Document, path: str = ""
    ) -> list[tuple[Idp, Step]]:
        outer = f"{path}." if path else ""
        places: list[tuple[AnyIdp, str]] = [
            *((jwt, f"{outer}jwtIdps[{number}]") for number, jwt in enumerate(wanted.jwt_idps or ())),
            *((oidc, f"{outer}oidcIdps[{number}]") for number, oidc in enumerate(wanted.oidc_idps or ())),
            *((oauth2, f"{outer}oauth2Idps[{number}]") for number, oauth2 in enumerate(wanted.oauth2_idps or ())),
            *((ldap, f"{outer}ldapIdps[{number}]") for number, ldap in enumerate(wanted.ldap_idps or ())),
        ]
        planned = [await self._plan_idp(plan, owner_id, idp, place) for idp, place in places]
        plan.idps.extend(idp for idp, _step in planned)
        return planned

    async def _plan_idp(self, plan: Plan, owner_id: str, wanted: AnyIdp, path: str) -> tuple[Idp, Step]:
        config = config_of(wanted, None)
        named = await self.idps.find_by_name(owner_id, wanted.name)

        def fits(idp: Idp) -> bool:
            return idp.org_id == owner_id and type(idp.config) is type(config) and idp.state is not State.DELETED

        before = await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.idps.find, named))
        new_config = config_of(wanted, before.config if before else None)
        idp = before or Idp(id=wanted.id or await plan.new_id(path), org_id=owner_id, name=wanted.name, config=config)
        after = msgspec.structs.replace(with_values(idp, DeclaredValues(wanted)), config=new_config)
        after = msgspec.structs.replace(
            after,
            tables=tables_of(wanted, before, after.config),
            assertions=assertions_of(wanted, before, after.config),
        )
        secret = _secret(wanted)
        with below(path):
            if before is None:
                entry = self.add_idp.plan(after, secret=secret)
            else:
                # Encryption yields a new ciphertext each time, so encrypt only if the stored secret cannot be reused.
                entry = self.update_idp.plan(before, after, secret="" if keeps_secret(before, after) else secret)
        subject = Subject("identity_provider", path, after.name)
        if wanted.groups is not None:
            plan.groups.append(PlannedGroups(subject, entry, wanted.groups))
        return entry.after, step_of(subject, entry)


def _secret(wanted: AnyIdp) -> str:
    match wanted:
        case JwtIdp():
            return ""
        case LdapIdp():
            return wanted.bind_password or ""
        case _:
            return wanted.client_secret or ""
