from __future__ import annotations

import asyncio
from pathlib import Path

import click
from portico_contracts.apply import Document
from portico_conversion.event_logs.sign_ins import SignIns
from portico_conversion.findings import shown
from portico_oauth.errors import ServiceError
from portico_stack.running.operator_bus import operator_bus
from portico_stack.running.record import find_running

from portico_cli.bus_calls.operator_calls import operator_login
from portico_cli.conversion_check.refusals import refusals
from portico_cli.conversion_check.replay import Provider, clients_of, failures
from portico_cli.terminal.options import issuer_of
from portico_cli.terminal.output import refuse


def check_document(document: Document, sign_ins: SignIns, data: Path, issuer: str) -> int:
    """Prints what the running installation would refuse; returns the exit status."""
    url, password = operator_login(data)
    provider = _provider(data, issuer) if sign_ins.first else None
    try:
        return asyncio.run(_check(document, sign_ins, url, password, provider))
    except ServiceError as error:
        refuse(f"refused: {error.text} ({error.id})")


def _provider(data: Path, issuer: str) -> Provider:
    found, running = issuer_of(data, issuer), find_running(data)
    return Provider(found, running.ca_file if running and running.issuer == found else "")


async def _check(document: Document, sign_ins: SignIns, url: str, password: str, provider: Provider | None) -> int:
    async with operator_bus(url, password) as bus:
        refused = await refusals(bus, document)
        for refusal in refused:
            click.echo(f"refused: {shown(refusal.name)}: {refusal.reason}")
        click.echo(f"{len(refused) or 'No'} {'object' if len(refused) == 1 else 'objects'} would be refused.")
        if provider is None:
            return 1 if refused else 0
        lost = 0
        async for one in failures(sign_ins, clients_of(document), bus, provider):
            click.echo(f"{sign_ins.first[one.about]}: {one.number} x would fail: {shown(one.what)}: {one.reason}")
            lost += one.number
    click.echo(f"{lost or 'No'} {'request' if lost == 1 else 'requests'} of the event log would fail.")
    if sign_ins.unread:
        click.echo(f"{sign_ins.unread} requests were not checked: the log has too many different ones.")
    return 1 if refused or lost else 0
