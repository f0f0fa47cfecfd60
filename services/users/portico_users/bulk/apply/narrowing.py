"""Plans what revokes roles, which comes last.

A user who was granted such a role loses it in the same transaction (`accounts.constraints`), so that the steps planned
for users would find them changed. A change that grants and revokes is written in two steps: in between, the users of the
document can be granted the new roles and have given up those that are revoked.
"""

from __future__ import annotations

import dataclasses

import msgspec

from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.kernel.entry import Entry
from portico_users.kernel.records import AnyRecord


def add_in_steps(plan: Plan, subject: Subject, entry: Entry[AnyRecord], wider: AnyRecord, last: list[Step]) -> None:
    """Adds one step, or two.

    Args:
        entry: the change as a whole.
        wider: its new version with everything the old one has and the new one has not.
        last: where the second step waits for the end of the plan.
    """
    before, after = entry.before, entry.after
    if before is None or wider == after:
        plan.add(after, step_of(subject, entry))
        return
    plan.kept.add(after.id)
    sequence = before.sequence
    if wider != before:
        plan.steps.append(step_of(subject, dataclasses.replace(entry, after=wider)))
        sequence += 1
    between = msgspec.structs.replace(wider, sequence=sequence)
    after = msgspec.structs.replace(after, sequence=sequence)
    last.append(step_of(subject, dataclasses.replace(entry, before=between, after=after)))
