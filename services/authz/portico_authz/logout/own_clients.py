"""Where logout tokens for the console and the account page go: to the service itself, past the gateway.

From inside, the public address of an installation often leads nowhere: a name of the machine, a private address, a load
balancer that answers only from outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from urllib.parse import urlsplit

from portico_contracts.http import ACCOUNT, BACK_CHANNEL_LOGOUT, CONSOLE
from portico_runtime.outbound import Outbound
from portico_runtime.settings import OutboundSection

from portico_authz.domain.ports import Posts


class OwnClients:
    """Posts forms to registered addresses; those of our own clients to their service.

    Args:
        service_url: the service's own addresses, comma-separated.
        others: posts to all other addresses.
    """

    def __init__(self, issuer: str, service_url: str, others: Posts) -> None:
        self._own = {f"{issuer}{path}{BACK_CHANNEL_LOGOUT}" for path in (CONSOLE, ACCOUNT)}
        self._others = others
        origins = [one.strip().rstrip("/") for one in service_url.split(",")]
        self._origins = cycle(origins)
        # A separate client: no address that others registered leads there.
        self._outbound = Outbound(OutboundSection(outbound_allow=",".join(map(_host_and_port, origins))))

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        """See `Posts.post_form`."""
        if url not in self._own:
            return await self._others.post_form(url, fields)
        return await self._outbound.post_form(f"{next(self._origins)}{urlsplit(url).path}", fields)

    async def start(self) -> None:
        """Nothing to begin: connections are made when they are needed."""

    async def close(self) -> None:
        """Closes all connections."""
        await self._outbound.close()


def _host_and_port(origin: str) -> str:
    parts = urlsplit(origin)
    return parts.netloc if parts.port else f"{parts.netloc}:{443 if parts.scheme == 'https' else 80}"
