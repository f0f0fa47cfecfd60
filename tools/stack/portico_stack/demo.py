from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Final

import msgspec
from portico_contracts.apply import Document

from portico_stack import http_probe
from portico_stack.installation import Installation
from portico_stack.private_files import write_private
from portico_stack.processes import Program, without_portico
from portico_stack.servers.gateway import GatewayServer
from portico_stack.yaml_document import read_document

REPOSITORY: Final = Path(__file__).resolve().parents[3]
DOCUMENT: Final = REPOSITORY / "deploy" / "local" / "demo.yaml"

ADMINISTRATOR: Final = "admin"
CLIENT_ID: Final = "demo"


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


def digest(document: Document) -> str:
    return hashlib.sha256(msgspec.json.encode(document)).hexdigest()


def relying_party_program(gateway: GatewayServer, port: int, installation: Installation, secrets: Path) -> Program:
    secret = write_private(secrets / "client_secret", installation.demo_client_secret)
    settings = {
        "PORTICO_DEMO_RP_ISSUER": gateway.url,
        "PORTICO_DEMO_RP_PROVIDER_AT": f"127.0.0.1:{gateway.port}",
        "PORTICO_DEMO_RP_CLIENT_ID": CLIENT_ID,
        "PORTICO_DEMO_RP_CLIENT_SECRET_FILE": str(secret),
        "PORTICO_DEMO_RP_PORT": str(port),
    }
    if gateway.ca_file:
        settings["PORTICO_DEMO_RP_CA_FILE"] = str(gateway.ca_file)

    async def ready() -> None:
        await http_probe.get(port, "/")

    argv = (sys.executable, "-m", "portico_demo_rp")
    return Program("demo-rp", argv, ready, {**without_portico(os.environ), **settings})
