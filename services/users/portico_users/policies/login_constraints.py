"""Keeps a usable factor wherever the login policies of an organization and the instance together require one.

An organization may set some rules and inherit others, so a change of either could lock out all users. Both
kinds of changes touch a common row, so that concurrent ones conflict. Indexes (`org.py`) find the
organizations that a change of the instance would lock out, whatever the number of organizations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_contracts.users import FirstFactor
from portico_oauth.errors import ErrorCode, Kind, ServiceError, Violation
from portico_runtime.mongo.client import Database, Session

from portico_users.instance.instance import INSTANCES, UNSET, Instance
from portico_users.journal.constraints import NO_CONSTRAINTS, SENTINELS, Check, Constraints
from portico_users.organizations.org import ORGS, Org
from portico_users.policies.login_rules import (
    FORCED_WITHOUT,
    LoginRules,
    admits_no_user,
    in_force,
    narrows,
    states_passkey,
)
from portico_users.storage.entry import Document, Entry, VersionGuard
from portico_users.values.names import INSTANCE
from portico_users.values.records import State

MAX_NAMED: Final = 10
"""Maximum number of organizations named in the error."""

ORG_WITHOUT = ErrorCode(
    "USER-911",
    Kind.FAILED_PRECONDITION,
    "This organization requires a second factor, but no factor would be allowed.",
    "Allow a factor for the organization or do not require one; or allow one for the instance.",
)

_FIRST: Final = "loginRules.firstFactors"
_SENTINEL: Final = VersionGuard(SENTINELS, "loginRules", {}, upsert=True)


def of_org(entry: Entry[Org]) -> Constraints:
    """The organization depends on the instance if it allows no factor itself and may require one."""
    rules = entry.after.login_rules
    same = entry.before is not None and entry.before.login_rules == rules
    if same or not _leans(rules):
        return NO_CONSTRAINTS
    return Constraints(guards=(_SENTINEL,), checks=(_instance_lets_in(rules),))


def of_instance(entry: Entry[Instance]) -> Constraints:
    """Organizations inherit from the instance; relaxed rules need no check."""
    rules = entry.after.login_rules
    if not narrows((entry.before or UNSET).login_rules, rules):
        return NO_CONSTRAINTS
    return Constraints(guards=(_SENTINEL,), checks=(_no_organization_is_locked_out(locked_out_by(rules)),))


def locked_out_by(instance: LoginRules) -> Document:
    """Returns the query for organizations that these instance rules lock out."""
    rules = in_force(instance)
    lists = {
        "loginRules.secondFactors": _without_factor(bool(rules.second_factors)),
        "loginRules.multiFactors": _without_factor(bool(rules.multi_factors)),
    }
    # A passkey that a rule of first factors states counts as the second factor, also an inherited one.
    own_first: Document = {_FIRST: {"$exists": True, "$ne": FirstFactor.PASSKEY.value}}
    first: Document = own_first if states_passkey(rules) else {_FIRST: {"$ne": FirstFactor.PASSKEY.value}}
    demands: list[Document] = [{"loginRules.forceMfa": True, **lists, **first}]
    if rules.force_mfa:
        # An organization without rules inherits all, so one of its own lists must be empty, or state no passkey.
        demands += [{"loginRules.forceMfa": None, **lists, **first, name: []} for name in lists]
        demands.append({"loginRules.forceMfa": None, **lists, **own_first})
    return {"$or": demands, "state": {"$ne": State.DELETED.value}}


def left_without(org_ids: Sequence[str]) -> ServiceError:
    named = ", ".join(org_ids)
    violations = tuple(Violation(f"organizations[{id}]", ORG_WITHOUT.text) for id in org_ids)
    text = f"organizations[{named}]: {ORG_WITHOUT.text}"
    return ServiceError(ORG_WITHOUT.kind, ORG_WITHOUT.id, text, violations=violations)


def _leans(rules: LoginRules) -> bool:
    if (rules.force_mfa, rules.second_factors, rules.multi_factors, rules.first_factors) == (None,) * 4:
        return False  # it is as the instance
    has_own = rules.second_factors or rules.multi_factors or FirstFactor.PASSKEY in (rules.first_factors or ())
    return rules.force_mfa is not False and not has_own


def _without_factor(instance_has_some: bool) -> Document | list[object]:
    """Matches a list that is empty, or inherited from an instance with an empty list."""
    return [] if instance_has_some else {"$in": [[], None]}


def _instance_lets_in(rules: LoginRules) -> Check:
    async def check(database: Database, session: Session) -> None:
        row = await database[INSTANCES.name].find_one({"_id": INSTANCE}, session=session)
        instance = INSTANCES.record(row) if row else UNSET
        if admits_no_user(rules, instance.login_rules):
            raise FORCED_WITHOUT.error()

    return check


def _no_organization_is_locked_out(question: Document) -> Check:
    async def check(database: Database, session: Session) -> None:
        rows = database[ORGS.name].find(question, {"_id": 1}, session=session).limit(MAX_NAMED)
        if found := [str(row["_id"]) for row in await rows.to_list(MAX_NAMED)]:
            raise left_without(found)

    return check
