from __future__ import annotations

from pathlib import Path
from typing import Final

from portico_stack.installation.installation import Installation
from portico_stack.machine.private_files import write_private
from portico_stack.servers.gateway import GatewayServer

REPOSITORY: Final = Path(__file__).resolve().parents[4]
DOCUMENT: Final = REPOSITORY / "deploy" / "local" / "demo.yaml"

ADMINISTRATOR: Final = "admin"
CLIENT_ID: Final = "demo"


def relying_party_settings(
    gateway: GatewayServer, port: int, installation: Installation, secrets: Path
) -> dict[str, str]:
    """The settings of the demo application; its secret is in a file."""
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
    return settings
