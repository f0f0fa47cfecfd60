"""Sends logout tokens to console and account page directly: the public address may not be reachable from inside."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from urllib.parse import urlsplit

from portico_contracts.http import ACCOUNT, BACK_CHANNEL_LOGOUT, CONSOLE
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.settings.sections.outbound import OutboundSection

from portico_authz.domain.ports import Posts


class OwnClients:
    """`service_url` is comma-separated and receives the console's and account page's tokens."""

    def __init__(self, issuer: str, service_url: str, others: Posts) -> None:
        self._own = {f"{issuer}{path}{BACK_CHANNEL_LOGOUT}" for path in (CONSOLE, ACCOUNT)}
        self._others = others
        origins = [one.strip().rstrip("/") for one in service_url.split(",")]
        self._origins = cycle(origins)
        # A separate client: URLs registered by users never use its exceptions.
        self._outbound = Outbound(OutboundSection(outbound_allow=",".join(map(_host_and_port, origins))))

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        if url not in self._own:
            return await self._others.post_form(url, fields)
        return await self._outbound.post_form(f"{next(self._origins)}{urlsplit(url).path}", fields)

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        await self._outbound.close()


def _host_and_port(origin: str) -> str:
    parts = urlsplit(origin)
    return parts.netloc if parts.port else f"{parts.netloc}:{443 if parts.scheme == 'https' else 80}"
