"""The way to a service of ours; `portico_runtime.service_client.ServiceClient` is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from portico_runtime.service_client import ServiceResponse


class Http(Protocol):
    """Asks one service, however many replicas it has."""

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once; raises OSError without an answer."""
        ...

    async def start(self) -> None:
        """Begins; must not wait for a service that may be down."""
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...
