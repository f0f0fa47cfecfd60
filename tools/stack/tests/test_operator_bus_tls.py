"""The operator's commands reach a bus over TLS with the services' setting."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_contracts.catalogue import OPERATOR
from portico_harness.certificates import write_certificate
from portico_harness.tls_servers import nats_over_tls
from portico_oauth.errors import ServiceError
from portico_stack.running import operator_bus

pytestmark = pytest.mark.servers


async def test_operator_uses_the_services_ca_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the CA file the operator's commands connect, and without it the certificate is refused."""
    monkeypatch.setattr(operator_bus, "_CONNECT_SECONDS", 1.0)
    files = write_certificate(tmp_path, "localhost")
    with nats_over_tls(tmp_path / "nats", files) as server:
        monkeypatch.setenv("PORTICO_BUS_CA_FILE", str(files.authority))
        async with operator_bus.operator_bus(server.url, server.password(OPERATOR)) as bus:
            await bus.check()
        monkeypatch.delenv("PORTICO_BUS_CA_FILE")

        with pytest.raises(ServiceError):
            async with operator_bus.operator_bus(server.url, server.password(OPERATOR)):
                pass
