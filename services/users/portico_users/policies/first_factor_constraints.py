"""Keeps an active identity provider offered wherever sign-ins may begin with one (decision 0143).

A rule of an organization may rest on providers that the instance offers, and the other way round. A change of rules
that names providers needs an active one. Other changes are refused only where nothing but providers is allowed, because
all users would be locked out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_contracts.users import FirstFactor
from portico_oauth.errors import ServiceError, Violation
from portico_runtime.mongo.client import Database, Session

from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import IDPS
from portico_users.instance.instance import INSTANCES, UNSET, Instance
from portico_users.journal.constraints import NO_CONSTRAINTS, SENTINELS, Constraints
from portico_users.organizations.org import ORGS, Org
from portico_users.policies.login_rules import NO_FIRST_FACTOR_LEFT, LoginRules, in_force
from portico_users.storage.entry import NOT_DELETED, Document, Entry, VersionGuard
from portico_users.values.names import INSTANCE
from portico_users.values.problems import at
from portico_users.values.records import State

MAX_NAMED: Final = 10
"""Maximum number of organizations named in the error."""

_SENTINEL: Final = VersionGuard(SENTINELS, "firstFactors", {}, upsert=True)
_ONLY_PROVIDERS: Final = (FirstFactor.PROVIDER,)
_FIELD: Final = "loginRules.firstFactors"


def of_org(entry: Entry[Org]) -> Constraints:
    """An organization that states its first factors or its providers, and changes one of them."""
    rules = entry.after.login_rules
    before = entry.before.login_rules if entry.before else LoginRules()
    if entry.after.state is State.DELETED or not _changes_ways(before, rules):
        return NO_CONSTRAINTS

    async def check(database: Database, session: Session) -> None:
        both = (rules, await _rules_of_instance(database, session))
        if _needs_provider(both, strictly=_states_provider(before, rules)):
            await _require_active(database, session, both, (entry.after.id, INSTANCE))

    return Constraints(guards=(_SENTINEL,), checks=(check,))


def of_instance(entry: Entry[Instance]) -> Constraints:
    """The instance itself, and the organizations that inherit first factors or providers from it."""
    rules, before = entry.after.login_rules, (entry.before or UNSET).login_rules
    if not _changes_ways(before, rules):
        return NO_CONSTRAINTS

    async def check(database: Database, session: Session) -> None:
        if _needs_provider((rules,), strictly=_states_provider(before, rules)):
            await _require_active(database, session, (rules,), (INSTANCE,))
        inheriting: list[Document] = [{_FIELD: [FirstFactor.PROVIDER.value], "loginRules.idps": None}]
        if rules.first_factors == _ONLY_PROVIDERS:
            inheriting.append({_FIELD: None, "loginRules.idps": {"$ne": None}})
        await _require_way_in(database, session, {"$or": inheriting}, rules)

    return Constraints(guards=(_SENTINEL,), checks=(check,))


def of_idp(entry: Entry[Idp]) -> Constraints:
    """A provider that is deactivated or deleted must not be the only way into an organization or the instance."""
    idp, before = entry.after, entry.before
    if before is None or before.state is not State.ACTIVE or idp.state is State.ACTIVE:
        return NO_CONSTRAINTS

    async def check(database: Database, session: Session) -> None:
        instance = await _rules_of_instance(database, session)
        if idp.of_instance and _needs_provider((instance,), strictly=False):
            await _require_active(database, session, (instance,), (INSTANCE,))
        using: list[Document] = [{_FIELD: [FirstFactor.PROVIDER.value]}]
        if instance.first_factors == _ONLY_PROVIDERS:
            using.append({_FIELD: None, "loginRules.idps": idp.id})
        question: Document = {"$or": using}
        await _require_way_in(
            database, session, question if idp.of_instance else {"_id": idp.org_id, **question}, instance
        )

    return Constraints(guards=(_SENTINEL,), checks=(check,))


def _changes_ways(before: LoginRules, after: LoginRules) -> bool:
    return (before.first_factors, before.idps) != (after.first_factors, after.idps)


def _states_provider(before: LoginRules, after: LoginRules) -> bool:
    return before.first_factors != after.first_factors and FirstFactor.PROVIDER in (after.first_factors or ())


def _needs_provider(rules: Sequence[LoginRules], *, strictly: bool) -> bool:
    """`strictly`: the rule names providers; otherwise only if there is no other way in."""
    return strictly or in_force(*rules).first_factors == _ONLY_PROVIDERS


async def _rules_of_instance(database: Database, session: Session) -> LoginRules:
    row = await database[INSTANCES.name].find_one({"_id": INSTANCE}, session=session)
    return (INSTANCES.record(row) if row else UNSET).login_rules


async def _require_active(
    database: Database, session: Session, rules: Sequence[LoginRules], owners: tuple[str, ...]
) -> None:
    if not await _has_active(database, session, rules, owners):
        raise at("firstFactors", NO_FIRST_FACTOR_LEFT.error())


async def _has_active(
    database: Database, session: Session, rules: Sequence[LoginRules], owners: tuple[str, ...]
) -> bool:
    ids = list(in_force(*rules).sign_in_idps)
    question = {"_id": {"$in": ids}, "orgId": {"$in": list(owners)}, "state": State.ACTIVE.value}
    return bool(ids) and await database[IDPS.name].find_one(question, {"_id": 1}, session=session) is not None


async def _require_way_in(database: Database, session: Session, question: Document, instance: LoginRules) -> None:
    """Raises USER-181 with the organizations that would have no way in."""
    found: list[str] = []
    async for row in database[ORGS.name].find({**question, **NOT_DELETED}, session=session):
        org = ORGS.record(row)
        both = (org.login_rules, instance)
        if _needs_provider(both, strictly=False) and not await _has_active(database, session, both, (org.id, INSTANCE)):
            found.append(org.id)
        if len(found) == MAX_NAMED:
            break
    if found:
        raise _left_without(found)


def _left_without(org_ids: Sequence[str]) -> ServiceError:
    error = NO_FIRST_FACTOR_LEFT
    violations = tuple(Violation(f"organizations[{id}]", error.text) for id in org_ids)
    text = f"organizations[{', '.join(org_ids)}]: {error.text}"
    return ServiceError(error.kind, error.id, text, violations=violations)
