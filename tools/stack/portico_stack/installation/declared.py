"""The documents of a local installation: the demo data, and the console as a client. Runs in the child of the start."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec
from portico_contracts.apply import Document
from portico_contracts.documents.reading import read_document
from portico_oauth.errors import Kind, ServiceError

from portico_stack.installation.console import console_document
from portico_stack.installation.demo import DOCUMENT
from portico_stack.installation.installation import Installation
from portico_stack.running.operator_bus import apply_document, create_first_run_link

DEMO: Final = "demo data"
CONSOLE: Final = "console data"


def demo_document(installation: Installation, relying_party: str) -> Document:
    """Without the administrator for an installation with a first run; DocumentError if edited to be invalid."""
    environment = {
        "PORTICO_DEMO_ADMIN_PASSWORD": installation.admin_password,
        "PORTICO_DEMO_CLIENT_SECRET": installation.demo_client_secret,
        "PORTICO_DEMO_RP_URL": relying_party,
    }
    document = read_document(DOCUMENT.read_text(encoding="utf-8"), str(DOCUMENT), environment)
    if not installation.first_run:
        return document
    nobody = [msgspec.structs.replace(organization, humans=[]) for organization in document.organizations]
    return msgspec.structs.replace(document, organizations=nobody)


async def apply_changed(
    installation: Installation, issuer: str, relying_party: str, bus: tuple[str, str]
) -> dict[str, str]:
    """Applies the documents that changed since they were applied; returns the digests of all.

    Without a relying party there is no demo data. `bus`: its URL and the operator's password.
    """
    declared = {CONSOLE: console_document(issuer, installation.console_client_key)}
    if relying_party:
        declared = {DEMO: demo_document(installation, relying_party), **declared}
    digests = {name: digest(document) for name, document in declared.items()}
    before = installation.declared or {DEMO: installation.applied}
    for name, document in declared.items():
        if before.get(name) != digests[name]:
            await apply_document(*bus, document)
    return digests


async def first_run_link(url: str, password: str) -> str:
    """Returns the one-time link for the first administrator; empty if there is one."""
    try:
        return (await create_first_run_link(url, password)).address
    except ServiceError as error:
        if error.kind is not Kind.FAILED_PRECONDITION:
            raise
        return ""


def digest(document: Document) -> str:
    return hashlib.sha256(msgspec.json.encode(document)).hexdigest()
