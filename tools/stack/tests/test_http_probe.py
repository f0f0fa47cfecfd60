"""Which certificates of our gateway readiness accepts: the same ones, on every Python (decision 0114)."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_harness.tls_peers import ACCEPTED_WHEN_GIVEN, Peer, accepted_by
from portico_stack.machine import http_probe


@pytest.mark.slow
async def test_probe_accepts_an_own_authority(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        await http_probe.get(peer.port, "/", ca_file=peer.authority)

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN
