"""Plans identity providers, of organizations and of the instance."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.apply import Document, JwtIdp, LdapIdp, Organization

from portico_users.bulk.apply.finding import Wanted, find_existing
from portico_users.bulk.apply.idp_configs import AnyIdp, config_of, tables_of
from portico_users.bulk.apply.plan import Plan, PlannedGroups
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.commands.command import Assembled
from portico_users.commands.identity_providers.idps import AddIdp, UpdateIdp, keeps_secret
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.idp_fields import with_values
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.kernel.fields import DeclaredValues
from portico_users.kernel.problems import below
from portico_users.kernel.records import State
from portico_users.kernel.schema import IdSpace


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
        if not isinstance(wanted, LdapIdp):
            after = msgspec.structs.replace(after, tables=tables_of(wanted, before, after.config))
        secret = _secret(wanted)
        with below(path):
            if before is None:
                entry = self.add_idp.plan(after, secret=secret)
            else:
                # Sealing makes something new each time: only where the stored secret is of no use.
                entry = self.update_idp.plan(before, after, secret="" if keeps_secret(before, after) else secret)
        subject = Subject("identity_provider", path, after.name)
        if not isinstance(wanted, LdapIdp) and wanted.groups is not None:
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
