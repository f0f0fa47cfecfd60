"""Whether the service of this container is ready: the exit status of ``python -m portico_runtime.readiness_probe``.

Containers are asked again and again, so it imports next to nothing.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Final

_SECONDS: Final = 3.0
_OK: Final = b"200"


def answers(port: int, path: str, host: str = "localhost") -> bool:
    """Returns whether a server on this machine answers a GET over plain http with the status 200."""
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    try:
        with socket.create_connection(("127.0.0.1", port), _SECONDS) as connection:
            connection.sendall(request.encode())
            status_line = connection.makefile("rb").readline()
    except OSError:
        return False
    return status_line.split(b" ", 2)[1:2] == [_OK]


if __name__ == "__main__":
    sys.exit(not answers(int(os.environ["PORTICO_INTERNAL_PORT"]), "/readyz"))
