"""Keeps a usable factor wherever the login policies of an organization and the instance together require one.

An organization may set some rules and inherit others, so a change of either could lock out all users. Both
kinds of changes touch a common row, so that concurrent ones conflict. Indexes (`org.py`) find the
organizations that a change of the instance would lock out, whatever the number of organizations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError, Violation
from portico_runtime.mongo.client import Database, Session

from portico_users.instance.instance import INSTANCES, UNSET, Instance
from portico_users.journal.constraints import NO_CONSTRAINTS, SENTINELS, Check, Constraints
from portico_users.organizations.org import ORGS, Org
from portico_users.policies.login_rules import FORCED_WITHOUT, LoginRules, admits_no_user, in_force, narrows
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
    question = locked_out_by(rules)
    return Constraints(guards=(_SENTINEL,), checks=(_no_organization_is_locked_out(question),) if question else ())


def locked_out_by(instance: LoginRules) -> Document | None:
    """Returns the query for organizations that these instance rules lock out; None if there can be none."""
    rules = in_force(instance)
    second, multi, demanded = bool(rules.second_factors), bool(rules.multi_factors), rules.force_mfa
    if second and multi and not demanded:
        return None
    lists = {"loginRules.secondFactors": _without_factor(second), "loginRules.multiFactors": _without_factor(multi)}
    demands: list[Document] = [{"loginRules.forceMfa": True, **lists}]
    if demanded:
        # An organization without rules inherits all, so one of its own lists must be empty.
        demands += [{"loginRules.forceMfa": None, **lists, name: []} for name in lists]
    return {"$or": demands, "state": {"$ne": State.DELETED.value}}


def left_without(org_ids: Sequence[str]) -> ServiceError:
    named = ", ".join(org_ids)
    violations = tuple(Violation(f"organizations[{id}]", ORG_WITHOUT.text) for id in org_ids)
    text = f"organizations[{named}]: {ORG_WITHOUT.text}"
    return ServiceError(ORG_WITHOUT.kind, ORG_WITHOUT.id, text, violations=violations)


def _leans(rules: LoginRules) -> bool:
    if (rules.force_mfa, rules.second_factors, rules.multi_factors) == (None, None, None):
        return False  # it is as the instance
    return rules.force_mfa is not False and not rules.second_factors and not rules.multi_factors


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
