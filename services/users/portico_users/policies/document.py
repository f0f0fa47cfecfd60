from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document

from portico_users.documents.plan import Plan
from portico_users.identity_providers.store import IDP_NOT_FOUND, MongoIdps
from portico_users.policies import login_rules
from portico_users.policies.commands import refuse_unsendable, require_offerable
from portico_users.policies.edit_policies import with_policies
from portico_users.policies.login_rules import LoginRules
from portico_users.policies.place_guard import PlaceGuard
from portico_users.policies.policies import KINDS, Policies, PolicyKind
from portico_users.values.fields import DeclaredValues
from portico_users.values.names import INSTANCE
from portico_users.values.operator_settings import CanSendEmail
from portico_users.values.problems import at, refuse_first

HasPolicies = document.Organization | document.Document


def policies_of(wanted: HasPolicies, stored: Policies, path: str) -> Policies:
    declared = [(kind, policy) for kind in KINDS if (policy := getattr(wanted, member_of(kind))) is not None]
    names = {field.name: field.encode_name for field in msgspec.structs.fields(type(wanted))}
    return with_policies(
        stored,
        [
            (kind, kind.fields.new(DeclaredValues(policy)), _member(path, names[member_of(kind)]))
            for kind, policy in declared
        ],
    )


def member_of(kind: PolicyKind) -> str:
    return f"{kind.name}_policy"


@dataclass(frozen=True, slots=True)
class LoginRulesPlanner:
    idps: MongoIdps
    sends_email: CanSendEmail
    places: PlaceGuard

    async def login_rules_of(
        self, plan: Plan, wanted: HasPolicies, stored: LoginRules, owner_id: str, path: str
    ) -> LoginRules:
        """Returns the document's login policy, or none; stored identity providers stay offered if it lists none."""
        policy = wanted.login_policy
        if policy is None:
            return stored
        rules = msgspec.structs.replace(login_rules.LOGIN_FIELDS.new(DeclaredValues(policy)), idps=stored.idps)
        refuse_first(login_rules.problems_of(rules), _member(path, "loginPolicy"))
        refuse_unsendable(stored, rules, sends_email=self.sends_email, path=_member(path, "loginPolicy."))
        await self.places.require_possible(stored, rules, _member(path, "loginPolicy."))
        if policy.idps is None:
            return rules
        offered = await _offered(plan, policy.idps, (owner_id, INSTANCE), _member(path, "loginPolicy.idps"))
        # A document cannot refer to deleted providers that are still listed.
        there = {idp.id for idp in await self.idps.list_by_ids(stored.idps or ())}
        if stored.idps is not None and tuple(id for id in stored.idps if id in there) == offered:
            return rules
        return msgspec.structs.replace(rules, idps=offered)


async def _offered(plan: Plan, named: tuple[str, ...], owner_ids: tuple[str, str], place: str) -> tuple[str, ...]:
    if len(named) > login_rules.MAX_IDPS:
        require_offerable(named, place)
    offered = []
    for number, name in enumerate(named):
        idp = await plan.find_idp(tuple(dict.fromkeys(owner_ids)), name)
        if idp is None:
            raise at(f"{place}[{number}]", IDP_NOT_FOUND.error())
        offered.append(idp.id)
    require_offerable(offered, place)
    return tuple(offered)


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
