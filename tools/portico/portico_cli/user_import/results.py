"""Prints and counts the results of rows, and writes them to a report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from portico_contracts.error_ids import USER_EXISTS, USER_NAME_TAKEN
from portico_contracts.users import RowOutcome, RowProblem
from portico_conversion.findings import shown

from portico_cli.doctor.checks import describe_costly
from portico_cli.terminal.progress import Progress
from portico_cli.user_import.lines import KnownNames, Line

PRINTED: Final = 1_000
"""Problems that an import prints; of the others it prints how often they occur."""


class RowResult(NamedTuple):
    line: Line
    outcome: RowOutcome


class ResultPrinter:
    """`write` takes a line of the report."""

    def __init__(self, write: Callable[[str], None] | None, bar: Progress, *, dry_run: bool) -> None:
        self._bar = bar
        self.counted: Counter[str] = Counter()
        self._write = write
        self._dry_run = dry_run
        self._known_names = KnownNames()
        self._costly: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._left = PRINTED
        self._unprinted: Counter[str] = Counter()
        self._texts: dict[str, str] = {}

    def add(self, result: RowResult) -> None:
        line, outcome = result
        if self._dry_run:
            outcome = self._without_duplicates(line, outcome)
        self.counted[outcome.status] += 1
        if outcome.hash_seconds and outcome.status == "created":
            self._costly[outcome.signs_in_by] += 1
            self._seconds[outcome.signs_in_by] = outcome.hash_seconds
        if self._write:
            self._write(json.dumps(_row(line, outcome), ensure_ascii=False))
        if self._dry_run:
            self._bar.print_line(f"{line.number}: {_recognised(outcome)}")
        for problem in outcome.problems:
            self._print(line, problem)
        self._bar.advance(len(line.text.encode()) + 1)

    def _print(self, line: Line, problem: RowProblem) -> None:
        if self._left or self._dry_run:
            place = f"{problem.field}: " if problem.field else ""
            self._bar.print_line(f"{line.number}: {place}{problem.text} ({problem.id})")
            self._left -= 1
            return
        if not self._unprinted:
            rest = "" if self._write else ", and --report FILE has all of them"
            self._bar.print_line(f"Further problems are counted at the end{rest}.")
        self._unprinted[problem.id] += 1
        self._texts.setdefault(problem.id, problem.text)

    def counts(self) -> str:
        created, counted = "to create" if self._dry_run else "created", self.counted
        return f"{counted['created']} {created}, {counted['exists']} already imported, {counted['refused']} refused."

    def summary(self) -> str:
        end = " Nothing was changed." if self._dry_run else ""
        unprinted = [f"{count} more: {self._texts[id]} ({id})" for id, count in self._unprinted.most_common()]
        return "\n".join([*unprinted, f"{self.counts()}{end}", *self._warnings()])

    def told(self) -> str:
        """The summary of an import that did not reach its end."""
        late = "" if self._dry_run else "Rows after these that were already sent may have been imported too. "
        return f"{self.summary()}\n{late}Run the command again to continue."

    def _warnings(self) -> Iterator[str]:
        for kind, users in sorted(self._costly.items()):
            yield f"Warning: {describe_costly(kind, users, self._seconds[kind])}"

    def _without_duplicates(self, line: Line, outcome: RowOutcome) -> RowOutcome:
        if outcome.status != "created":
            return outcome
        problems = []
        if (first := self._known_names.line_of(outcome.user_name, line.number)) != line.number:
            text = f"Line {first} has the same user name."
            problems.append(RowProblem(field="username", id=USER_NAME_TAKEN, text=text))
        if (first := self._known_names.line_of_id(outcome.user_id, line.number)) != line.number:
            problems.append(RowProblem(field="userId", id=USER_EXISTS, text=f"Line {first} has the same id."))
        if not problems:
            return outcome
        return RowOutcome(
            status="refused", problems=tuple(problems), user_name=outcome.user_name, org_id=outcome.org_id
        )


def _row(line: Line, outcome: RowOutcome) -> dict[str, object]:
    row: dict[str, object] = {"line": line.number, "status": outcome.status}
    if outcome.user_id:
        row["userId"] = outcome.user_id
    if outcome.problems:
        row["problems"] = [{"field": one.field, "id": one.id, "text": one.text} for one in outcome.problems]
    return row


def _recognised(outcome: RowOutcome) -> str:
    parts = [
        outcome.status if outcome.status != "created" else "new",
        shown(outcome.user_name) or "no user name",
        f"organization {outcome.org_id or 'unknown'}",
        outcome.signs_in_by or "no password",
        "email verified" if outcome.email_verified else "email not verified",
    ]
    if outcome.totp:
        parts.append("authenticator app")
    for number, word in ((outcome.metadata, "metadata"), (outcome.idp_links, "idp links")):
        if number:
            parts.append(f"{number} {word}")
    return ", ".join(parts)
