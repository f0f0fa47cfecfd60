"""Which certificates of an issuer the command accepts: the same ones, on every Python (decision 0114)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest
from portico_cli.commands.token import _request
from portico_cli.conversion_check import replay
from portico_cli.doctor.issuer import check_issuer
from portico_conversion.event_logs.sign_ins import Authorization, SignIns
from portico_harness.tls_peers import ACCEPTED_WHEN_GIVEN, HOST, Peer, accepted_by
from portico_runtime.bus.nats_bus import NatsBus

pytestmark = pytest.mark.slow


async def test_doctor_accepts_an_own_authority(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        [_ async for _ in check_issuer(f"https://{HOST}:{peer.port}", str(peer.authority))]

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_request_for_a_token_accepts_an_own_authority(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        issuer = f"https://{HOST}:{peer.port}"
        try:
            await asyncio.to_thread(_request, issuer, str(peer.authority), "assertion", "openid", 60)
        except SystemExit as error:
            raise ConnectionError from error

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_check_of_a_conversion_accepts_an_own_authority(tmp_path: Path) -> None:
    sign_ins = SignIns()
    sign_ins.authorizations[Authorization("app", "https://app.example/cb", "code", "")] = 1
    clients = replay.Clients({}, frozenset(), frozenset())

    async def connect(peer: Peer) -> None:
        provider = replay.Provider(f"https://{HOST}:{peer.port}", str(peer.authority))
        [_ async for _ in replay.failures(sign_ins, clients, cast("NatsBus", None), provider)]

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN
