"""Which certificates of its provider the demo accepts: the same ones, on every Python (decision 0114)."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from portico_demo_rp.provider_transport import transport_to
from portico_harness.tls_peers import ACCEPTED_OF_SYSTEM, ACCEPTED_WHEN_GIVEN, HOST, Peer, accepted_by

pytestmark = pytest.mark.slow


async def test_own_authority_is_accepted(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        issuer = f"https://{HOST}:{peer.port}"
        async with httpx2.AsyncClient(transport=transport_to(issuer, peer.authority)) as http:
            await http.get(issuer)

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_without_an_authority_the_system_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(peer: Peer) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        issuer = f"https://{HOST}:{peer.port}"
        async with httpx2.AsyncClient(transport=transport_to(issuer)) as http:
            await http.get(issuer)

    assert await accepted_by(tmp_path, connect) == ACCEPTED_OF_SYSTEM
