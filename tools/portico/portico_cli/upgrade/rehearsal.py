"""Starts this release on the copy, migrates it, and runs the checks of the services there."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final

from portico_contracts.apply import Document
from portico_contracts.catalogue import OPERATOR
from portico_contracts.documents.reading import read_document
from portico_contracts.migrations import MIGRATION_RPCS, ListMigrations, MigrateBatch, MigrationState
from portico_contracts.topology import TOPOLOGY
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.doctor.finding import Finding
from portico_stack.assembly.layout import StackOptions, lay_out
from portico_stack.assembly.stack import Stack
from portico_stack.installation.console import console_document
from portico_stack.installation.declared import CONSOLE, DEMO, demo_document, digest
from portico_stack.installation.installation import Installation
from portico_stack.processes.programs import StartFailed
from portico_stack.running.operator_bus import operator_bus

from portico_cli.doctor.issuer import check_issuer
from portico_cli.doctor.services import check_services
from portico_cli.terminal.progress import progress, waiting
from portico_cli.upgrade.scratch import count_objects

_SECONDS: Final = 60.0
_OUTSIDE: Final = frozenset({"users mail", "users outbound", "authz outbound"})
"""Checks of servers that the copy must not reach."""


async def rehearse(
    data: Path, installation: Installation, documents: Sequence[Path], wait_seconds: float
) -> AsyncIterator[Finding]:
    options = StackOptions(data, port=0, wait_seconds=wait_seconds)
    _add_no_document(options, installation)
    before = await count_objects(data)
    stack = Stack(options, lambda _line: None)
    try:
        try:
            with waiting("Starting this release on the copy"):
                await stack.start()
        except StartFailed as error:
            fix = f"See the logs: repeat the command with --keep, then read {data / 'logs'}."
            yield Finding("rehearsal", "wrong", f"the services do not start on the copy: {error}", fix)
            return
        yield Finding("rehearsal", "ok", f"all services are ready on the copy after {stack.seconds:.0f} s")
        yield await _migrate(stack)
        yield _compare(before, await count_objects(data))
        async for finding in _diagnose(data, stack.issuer):
            yield finding
        for file in documents:
            yield await _plan(stack, file)
    finally:
        await stack.stop()


def _add_no_document(options: StackOptions, installation: Installation) -> None:
    """A start would add the demo data and the console to the copy, where these names may be taken."""
    layout = lay_out(options, installation)
    installation.declared = {
        DEMO: digest(demo_document(installation, layout.demo_url)),
        CONSOLE: digest(console_document(layout.issuer, installation.console_client_key)),
    }
    installation.save(options.data)


async def _migrate(stack: Stack) -> Finding:
    rewritten: Counter[str] = Counter()
    shared, began = stack.layout.shared, time.perf_counter()
    try:
        async with operator_bus(shared.bus_url, shared.bus_passwords[OPERATOR]) as bus:
            for service in MIGRATION_RPCS:
                rewritten += await _migrate_service(bus, service)
            left = [one.name for service in MIGRATION_RPCS for one in await _list(bus, service) if one.left]
    except ServiceError as error:
        return Finding("migrations", "wrong", f"portico migrate fails on the copy: {error.text} ({error.id})")
    if left:
        fix = "Add the missing master key, or repair these records, before the upgrade."
        return Finding("migrations", "wrong", f"records are left in {', '.join(left)}", fix)
    if not rewritten:
        return Finding("migrations", "ok", "no record needs to be rewritten")
    texts = ", ".join(f"{name} ({count})" for name, count in rewritten.items())
    return Finding("migrations", "ok", f"portico migrate rewrote {texts} in {time.perf_counter() - began:.0f} s")


async def _migrate_service(bus: NatsBus, service: str) -> Counter[str]:
    rewritten: Counter[str] = Counter()
    for one in await _list(bus, service):
        if not one.left:
            continue
        after: str | None = ""
        with progress(f"Migrating {one.name}", one.left) as bar:
            while after is not None:
                request = MigrateBatch(name=one.name, after=after)
                done = await bus.call(MIGRATION_RPCS[service].carry, request, seconds=_SECONDS)
                rewritten[one.name] += done.changed
                bar.advance(done.changed)
                after = done.after
    return rewritten


async def _list(bus: NatsBus, service: str) -> tuple[MigrationState, ...]:
    return (await bus.call(MIGRATION_RPCS[service].list, ListMigrations(), seconds=_SECONDS)).migrations


def _compare(before: Counter[str], after: Counter[str]) -> Finding:
    lost = [f"{name} ({before[name]}, now {after[name]})" for name in before if after[name] < before[name]]
    if lost:
        return Finding(
            "objects", "wrong", f"fewer records than before: {', '.join(lost)}", "Do not upgrade; report it."
        )
    return Finding("objects", "ok", f"{before['users']} users, {before['apps']} applications, as before")


async def _diagnose(data: Path, issuer: str) -> AsyncIterator[Finding]:
    passed = 0
    async for finding in check_services(data, tuple(TOPOLOGY)):
        if finding.level == "wrong" and finding.name not in _OUTSIDE:
            yield finding
        passed += finding.level != "wrong"
    async for finding in check_issuer(issuer, ""):
        if finding.level == "wrong":
            yield finding
        passed += finding.level != "wrong"
    yield Finding("doctor", "ok", f"{passed} checks of the services passed on the copy")


async def _plan(stack: Stack, file: Path) -> Finding:
    document = await asyncio.to_thread(_read, file)
    try:
        applied = await stack.apply(document, check=True)
    except ServiceError as error:
        return Finding("document", "wrong", f"{file}: {error.text} ({error.id})", "Correct the document.")
    changed = sum(change.action != "unchanged" for change in applied.changes)
    return Finding(
        "document", "ok", f"{file} is accepted, and would change {changed} of {len(applied.changes)} objects"
    )


def _read(file: Path) -> Document:
    return read_document(file.read_text("utf-8"), str(file), os.environ)
