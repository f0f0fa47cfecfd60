"""What starts and watches the container of a service."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from portico_runtime.readiness_probe import answers


class Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 503)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(name="server")
def _server() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_probe_accepts_status_200_only(server: HTTPServer) -> None:
    """Another status and a port without a server are failures."""
    port = server.server_port
    assert answers(port, "/readyz")
    assert not answers(port, "/other")

    server.shutdown()
    server.server_close()
    assert not answers(port, "/readyz")


@pytest.mark.parametrize("name", ["", "portico_token", "os"])
def test_container_needs_the_name_of_a_service(name: str) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "portico_runtime"),
        env={**os.environ, "PORTICO_SERVICE": name},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert f"PORTICO_SERVICE is {name!r}" in done.stderr
    assert "login-ui" in done.stderr
