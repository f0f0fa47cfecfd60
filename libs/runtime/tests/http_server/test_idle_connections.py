from __future__ import annotations

from portico_contracts.gateway import SECONDS
from portico_runtime.http_client.service_client import IDLE_SECONDS
from portico_runtime.http_server.http2_server import http2_config
from portico_runtime.service import server_config
from portico_runtime.settings.sections.service import ServiceSection
from starlette.applications import Starlette


def test_services_keep_idle_connections_longer_than_any_proxy() -> None:
    """A request on a connection that its receiver closes at that time is lost (RX-12)."""
    kept = server_config(Starlette(), ServiceSection(), 0).timeout_keep_alive
    kept_for_grpc = http2_config(ServiceSection()).keep_alive_timeout

    assert min(kept, kept_for_grpc) > 900 > SECONDS.client > SECONDS.idle_replica > IDLE_SECONDS
