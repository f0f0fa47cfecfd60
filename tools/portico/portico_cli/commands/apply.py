from __future__ import annotations

import hashlib
import hmac
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NoReturn, TextIO

import click
import msgspec
from portico_contracts.apply import Document
from portico_contracts.catalogue import MAX_PAYLOAD
from portico_contracts.documents.reading import DocumentError
from portico_contracts.subjects import encode
from portico_contracts.users import APPLY, Applied, Apply, Change
from portico_oauth.errors import Kind, ServiceError
from portico_stack.running.operator_bus import APPLY_SECONDS

from portico_cli.applying.batches import DocumentBatch, batches_of, find_repeated
from portico_cli.applying.lost_parts import SessionsOf, in_words, sessions_of
from portico_cli.applying.source import Source, read_source, seed_and_size
from portico_cli.bus_calls.operator_calls import call_service, describe, is_timeout, operator_login
from portico_cli.terminal.options import DATA
from portico_cli.terminal.output import refuse
from portico_cli.terminal.progress import progress, waiting
from portico_cli.terminal.stopped import told_when_stopped

SOMETHING_TO_DO: Final = 3

_ENVELOPE: Final = 64 * 1024
_EMPTY: Final = Apply(document=Document(), check=True)
_AGAIN: Final = "Run the command again to continue."
_CONCURRENT: Final = frozenset({Kind.ALREADY_EXISTS.value, Kind.ABORTED.value})
"""Kinds of failures of objects that another run wrote since the plan."""

_LISTED: Final = f"The changes listed above were made, the others were not. {_AGAIN}"
_SOME: Final = "Some changes may have been made."
_STOPPED: Final = f"The changes listed above were made. A run in progress goes on for up to a minute; secrets that it generates are not shown. {_AGAIN}"
_STOPPED_PLAN: Final = "Nothing was changed."
_OF_EACH: Final = frozenset({"human", "member"})


@click.command("apply")
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option(
    "--plan",
    "--check",
    "check",
    is_flag=True,
    help="Print what would change, without changing it. Exit status 3 if there are changes.",
)
@click.option("--prune", is_flag=True, help="Remove objects that the lists in FILE do not contain.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation before removing objects.")
@DATA
def apply_command(file: TextIO, data: Path, *, check: bool, prune: bool, yes: bool) -> None:
    """Create, update and delete organizations, applications and users as declared in FILE (- for standard input)."""
    try:
        source, document = read_source(file, os.environ)
    except DocumentError as error:
        refuse(str(error))
    except UnicodeDecodeError:
        refuse(f"{file.name} is not UTF-8.")
    _url, password = operator_login(data)
    with told_when_stopped(lambda: _STOPPED_PLAN if check else _STOPPED):
        _apply(_Asked(data, source), document, password, check=check, prune=prune, yes=yes)


def _apply(asked: _Asked, document: Document, key: str, *, check: bool, prune: bool, yes: bool) -> None:
    source, lost = asked.source, partial(sessions_of, asked.data)
    seed, size = seed_and_size(key, document)
    wanted = Apply(document=document, check=check, prune=prune, id_seed=seed)
    if size > MAX_PAYLOAD - _ENVELOPE:
        if prune:
            refuse(f"{source.name} is too large for --prune. Apply one organization at a time.")
        _apply_batches(asked, wanted)
        return
    if check:
        _print_plan(asked.ask(wanted), lost)
    if prune:
        wanted = _confirmed(wanted, asked.ask, lost, is_from_pipe=source.name == "<stdin>", yes=yes)
    applied = apply_in_runs(wanted, asked.ask)
    if failure := applied.failure:
        _refuse_rest(source.placed(f"{failure.text} ({failure.id})"))
    click.echo(_summary(_counts_of(applied.changes), "created", "updated", "removed"))


def _refuse_rest(sentence: str) -> NoReturn:
    refuse(f"refused: {sentence}\n{_LISTED}")


@dataclass(slots=True)
class _Asked:
    """Asks users, and ends the command where it refuses."""

    data: Path
    source: Source
    has_changed: bool = False

    def ask(self, question: Apply) -> Applied:
        with waiting("Planning" if question.check else "Applying"):
            return self.ask_quietly(question)

    def ask_quietly(self, question: Apply, batch: DocumentBatch | None = None) -> Applied:
        try:
            applied = call_service(self.data, APPLY, question, seconds=APPLY_SECONDS, empty=_EMPTY)
        except ServiceError as error:
            sentence = describe(error, APPLY, APPLY_SECONDS)
            placed = self.source.placed(batch.placed(sentence) if batch else sentence)
            refuse("\n".join(filter(None, [f"refused: {placed}", self._rest(error, question)])))
        self.has_changed = self.has_changed or (not question.check and any(map(_is_change, applied.changes)))
        return applied

    def _rest(self, error: ServiceError, question: Apply) -> str:
        is_unknown = error.kind is Kind.UNAVAILABLE
        if question.check:
            return "" if is_unknown else "Nothing was changed."
        if is_timeout(error):
            return f"{_SOME} {_AGAIN[:-1]}; if it takes too long, apply one organization at a time, or use `portico user import` for users."
        if is_unknown:
            return f"{_SOME} {_AGAIN}"
        return _LISTED if self.has_changed else "Nothing was changed."


def _apply_batches(asked: _Asked, wanted: Apply) -> None:
    """Plans all batches first, so that an error in any of them changes nothing."""
    document = wanted.document
    if repeated := find_repeated(document):
        refuse(f"refused: {asked.source.placed(repeated)}\nNothing was changed.")
    people = sum(len(org.humans or ()) for org in document.organizations)
    counts: Counter[str] = Counter()
    with progress("Planning", people) as bar:
        for batch in batches_of(document):
            question = _of_batch(wanted, batch, check=True, name=asked.source.name)
            changes = _own_changes(asked.ask_quietly(question, batch), batch)
            if wanted.check:
                _print_changes(changes, bar.print_line)
            counts += _counts_of(changes)
            bar.advance(batch.people)
    if wanted.check:
        click.echo(f"{_summary(counts, 'to create', 'to update', 'to remove')} Nothing was changed.")
        sys.exit(SOMETHING_TO_DO if counts.total() > counts["unchanged"] else 0)
    counts = Counter()
    with progress("Applying", people) as bar:
        for batch in batches_of(document):
            question = _of_batch(wanted, batch, check=False, name=asked.source.name)
            applied = apply_in_runs(
                question,
                partial(asked.ask_quietly, batch=batch),
                bar.print_line,
            )
            if failure := applied.failure:
                _refuse_rest(asked.source.placed(batch.placed(f"{failure.text} ({failure.id})")))
            counts += _counts_of(_own_changes(applied, batch))
            bar.advance(batch.people)
    click.echo(_summary(counts, "created", "updated", "removed"))


def _of_batch(wanted: Apply, batch: DocumentBatch, *, check: bool, name: str) -> Apply:
    """DocumentBatchs have seeds of their numbers, because their users have the same paths."""
    seed = hmac.new(wanted.id_seed.encode(), str(batch.number).encode(), hashlib.sha256).hexdigest()
    question = Apply(document=batch.document, check=check, id_seed=seed if batch.number else wanted.id_seed)
    if len(encode(question)) > MAX_PAYLOAD - _ENVELOPE:
        refuse(f"{name} is too large. Apply one organization at a time.")
    return question


def _own_changes(applied: Applied, batch: DocumentBatch) -> list[Change]:
    """Those of the first batch, and of users and members in the others, which have the rest once more."""
    return [one for one in applied.changes if not batch.number or one.kind in _OF_EACH]


def apply_in_runs(
    wanted: Apply, ask: Callable[[Apply], Applied], print_line: Callable[[str], None] = click.echo
) -> Applied:
    """Repeats a run that ended early, as long as there is progress, also of others.

    It ends at its time limit, or where another run has created an object since it was planned: that of a command
    that was killed goes on.
    """
    made: dict[tuple[str, str], Change] = {}
    reached = -1
    while True:
        applied = ask(wanted)
        _print_changes(applied.changes, print_line)
        changed = {(one.kind, one.id): one for one in applied.changes if _is_change(one)}
        goes_on = bool(changed)
        if applied.failure and applied.failure.kind in _CONCURRENT:
            goes_on, reached = len(applied.changes) > reached, len(applied.changes)
        elif not applied.failure or applied.failure.kind != Kind.UNAVAILABLE.value:
            goes_on = False
        if not goes_on:
            same = (one for one in applied.changes if (one.kind, one.id) not in made)
            return msgspec.structs.replace(applied, changes=(*made.values(), *same))
        made |= changed


def _confirmed(
    wanted: Apply, ask: Callable[[Apply], Applied], sessions_of: SessionsOf, *, is_from_pipe: bool, yes: bool
) -> Apply:
    planned = ask(msgspec.structs.replace(wanted, check=True))
    removed = [change for change in planned.changes if change.action == "removed"]
    reduced = [change for change in planned.changes if change.action != "removed" and change.along]
    if (removed or reduced) and not yes:
        if is_from_pipe:
            raise click.UsageError("a removal cannot be confirmed when FILE is standard input. Add --yes.")
        for change in (*removed, *reduced):
            click.echo(_line(change))
            _print_along(change, sessions_of)
        click.confirm(_question(len(removed), len(reduced)), abort=True)
    return msgspec.structs.replace(wanted, may_remove=tuple(change.id for change in removed))


def _question(removed: int, reduced: int) -> str:
    if not removed:
        return "Remove these parts of existing objects?"
    return f"Remove {'this' if removed == 1 else f'these {removed}'}{' and parts of other objects' if reduced else ''} permanently?"


def _print_along(change: Change, sessions_of: SessionsOf) -> None:
    lost = [in_words(one) for one in change.along]
    if change.action == "removed" and change.kind == "human":
        lost.append(sessions_of(change.id))
    for words in filter(None, lost):
        click.echo(f"{'':<10} with {words}")


def _print_plan(planned: Applied, sessions_of: SessionsOf) -> None:
    for change in planned.changes:
        if change.action != "unchanged" or change.along:
            _print_change(change)
            _print_along(change, sessions_of)
    click.echo(f"{_summary(_counts_of(planned.changes), 'to create', 'to update', 'to remove')} Nothing was changed.")
    sys.exit(SOMETHING_TO_DO if any(change.action != "unchanged" for change in planned.changes) else 0)


def _is_change(change: Change) -> bool:
    return change.action != "unchanged"


def _print_changes(changes: Iterable[Change], print_line: Callable[[str], None] = click.echo) -> None:
    for change in changes:
        if _is_change(change):
            _print_change(change, print_line)


def _print_change(change: Change, print_line: Callable[[str], None] = click.echo) -> None:
    print_line(_line(change))
    if change.generated_secret:
        print_line(f"{'':<10} secret (shown only once): {change.generated_secret}")


def _line(change: Change) -> str:
    fields = f"  ({', '.join(change.fields)})" if change.fields and change.action == "updated" else ""
    return f"{change.action:<10} {change.kind:<17} {change.name}  {change.id}{fields}"


def _counts_of(changes: Iterable[Change]) -> Counter[str]:
    return Counter(change.action for change in changes)


def _summary(counted: Counter[str], *words: str) -> str:
    parts = [f"{counted[action]} {word}" for action, word in zip(("created", "updated", "removed"), words, strict=True)]
    return f"{', '.join(parts)}, {counted['unchanged']} unchanged."
