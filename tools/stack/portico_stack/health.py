"""Whether everything in a container is ready: the exit status of ``python -m portico_stack.health``.

It is asked again and again, so it imports next to nothing.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from portico_runtime.readiness_probe import answers


def is_ready(data: Path) -> bool:
    """Asks every service, and through the gateway for the discovery document."""
    try:
        running = json.loads((data / "running.json").read_text())
    except OSError:  # it is starting or stopping
        return False
    host = running["issuer"].partition("://")[2]
    return all(answers(port, "/readyz") for port in running["internal_ports"].values()) and answers(
        running["gateway_port"], "/.well-known/openid-configuration", host
    )


if __name__ == "__main__":
    sys.exit(not is_ready(Path(os.environ["PORTICO_STACK_DATA"])))
