"""Plans identity providers, of organizations and of the instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from portico_contracts.apply import (
    AutoLinkingOption,
    Document,
    JwtIdp,
    LdapIdp,
    MappingField,
    OidcIdp,
    Organization,
    StylingType,
)

from portico_users.bulk.apply.finding import Wanted, find_existing
from portico_users.bulk.apply.ldap_idps import ldap_config
from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.commands.command import Assembled
from portico_users.commands.identity_providers.idps import AddIdp, UpdateIdp
from portico_users.directory.identity_providers.idp import (
    AnyConfig,
    AutoLinking,
    Idp,
    JwtConfig,
    Mapping,
    OidcConfig,
    Options,
    Styling,
)
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.kernel.id_space import IdSpace
from portico_users.kernel.problems import below
from portico_users.kernel.records import State

STYLINGS: Final = {StylingType.UNSPECIFIED: Styling.UNSPECIFIED, StylingType.GOOGLE: Styling.GOOGLE}
MAPPINGS: Final = {
    MappingField.UNSPECIFIED: Mapping.UNSPECIFIED,
    MappingField.PREFERRED_USERNAME: Mapping.PREFERRED_USERNAME,
    MappingField.EMAIL: Mapping.EMAIL,
}
AUTO_LINKINGS: Final = {
    AutoLinkingOption.UNSPECIFIED: AutoLinking.NONE,
    AutoLinkingOption.USERNAME: AutoLinking.USERNAME,
    AutoLinkingOption.EMAIL: AutoLinking.EMAIL,
}

AnyIdp = JwtIdp | OidcIdp | LdapIdp


@dataclass(frozen=True, slots=True)
class IdpPlanner(Assembled):
    """Plans identity providers."""

    idps: MongoIdps
    ids: IdSpace
    add_idp: AddIdp
    update_idp: UpdateIdp

    async def plan_idps(
        self, plan: Plan, owner_id: str, wanted: Organization | Document, path: str = ""
    ) -> list[tuple[Idp, Step]]:
        """The identity providers of an owner as they will be, with their steps; the plan knows them from now on.

        Args:
            path: place of the organization; empty for the instance.

        Raises:
            ServiceError: naming the place, when one may not be so.
        """
        outer = f"{path}." if path else ""
        places: list[tuple[AnyIdp, str]] = [
            *((jwt, f"{outer}jwtIdps[{number}]") for number, jwt in enumerate(wanted.jwt_idps or ())),
            *((oidc, f"{outer}oidcIdps[{number}]") for number, oidc in enumerate(wanted.oidc_idps or ())),
            *((ldap, f"{outer}ldapIdps[{number}]") for number, ldap in enumerate(wanted.ldap_idps or ())),
        ]
        planned = [await self._plan_idp(plan, owner_id, idp, place) for idp, place in places]
        plan.idps.extend(idp for idp, _step in planned)
        return planned

    async def _plan_idp(self, plan: Plan, owner_id: str, wanted: AnyIdp, path: str) -> tuple[Idp, Step]:
        config = _config(wanted, None)
        named = await self.idps.find_by_name(owner_id, wanted.name)

        def fits(idp: Idp) -> bool:
            return idp.org_id == owner_id and type(idp.config) is type(config) and idp.state is not State.DELETED

        before = await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.idps.find, named))
        after = msgspec.structs.replace(
            before or Idp(id=wanted.id or await plan.new_id(path), org_id=owner_id, name=wanted.name, config=config),
            name=wanted.name,
            config=_config(wanted, before.config if before else None),
        )
        after = msgspec.structs.replace(after, options=_options(after.options, wanted))
        if wanted.styling_type is not None:
            after = msgspec.structs.replace(after, styling=STYLINGS[wanted.styling_type])
        if wanted.state is not None:
            after = msgspec.structs.replace(after, state=State(wanted.state.value))
        secret = _secret(wanted)
        with below(path):
            if before is None:
                entry = self.add_idp.plan(after, secret=secret)
            else:
                # Sealing makes something new each time: only where the stored secret is of no use.
                is_kept = bool(before.sealed_secret) and before.config.sealed_for == after.config.sealed_for
                entry = self.update_idp.plan(before, after, secret="" if is_kept else secret)
        return entry.after, step_of(Subject("identity_provider", path, after.name), entry)


def _options(before: Options, wanted: AnyIdp) -> Options:
    """What the document does not state stays."""
    options = msgspec.structs.replace(before, auto_creation=wanted.auto_register)
    declared = wanted.provider_options
    if declared is None:
        return options
    return msgspec.structs.replace(
        options,
        linking=declared.is_linking_allowed,
        creation=declared.is_creation_allowed,
        auto_update=declared.is_auto_update,
        auto_linking=AUTO_LINKINGS[declared.auto_linking],
    )


def _secret(wanted: AnyIdp) -> str:
    match wanted:
        case OidcIdp():
            return wanted.client_secret or ""
        case LdapIdp():
            return wanted.bind_password or ""
        case _:
            return ""


def _config(wanted: AnyIdp, before: AnyConfig | None) -> AnyConfig:
    """What the document does not state stays."""
    if isinstance(wanted, LdapIdp):
        return ldap_config(wanted)
    if isinstance(wanted, JwtIdp):
        return JwtConfig(
            jwt_endpoint=wanted.jwt_endpoint,
            issuer=wanted.issuer,
            keys_endpoint=wanted.keys_endpoint,
            header_name=wanted.header_name,
        )
    config = before if isinstance(before, OidcConfig) else OidcConfig(issuer="", client_id="")
    trust = {} if wanted.trusted_email is None else {"trusted_email": wanted.trusted_email}
    stated = {"display_name_mapping": wanted.display_name_mapping, "username_mapping": wanted.username_mapping}
    mappings = {name: MAPPINGS[value] for name, value in stated.items() if value is not None}
    replaced = msgspec.structs.replace(
        config, issuer=wanted.issuer, client_id=wanted.client_id, scopes=tuple(wanted.scopes), **mappings
    )
    return msgspec.structs.replace(replaced.trusted_like(config), **trust)
