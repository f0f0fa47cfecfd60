"""Tokens that a real API server of Kubernetes issues (TokenRequest), as authentication of a service user (decision 0152).

`make admission` runs it, because the API server takes minutes to build.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jwt
from portico_contracts.users import TrustedWorkload, WorkloadCondition
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, token_service_in_memory
from portico_fakes.workload_tokens import credentials
from portico_harness.api_server import api_server
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from portico_users.trusted_workloads.key_sets import read_public_keys

NAMESPACE = "shop"
SUBJECT = f"system:serviceaccount:{NAMESPACE}:orders"


async def test_token_of_a_service_account(tmp_path: Path) -> None:
    """For our audience it works again and again; for another, for two, for longer than an hour, and of another
    service account it does not.
    """
    async with api_server(tmp_path) as server:
        for one in (
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "orders", "namespace": NAMESPACE}},
        ):
            assert (await server.apply(one)).status == 201
        keys = read_public_keys(await server.account_keys())
        tokens = [
            await server.token_for(NAMESPACE, "orders", ISSUER),
            await server.token_for(NAMESPACE, "orders", "https://other.test"),
            await server.token_for(NAMESPACE, "orders", ISSUER, "https://other.test"),
            await server.token_for(NAMESPACE, "orders", ISSUER, seconds=7200),
        ]
    sent: dict[str, Any] = jwt.decode(tokens[0], options={"verify_signature": False})
    bus = MemoryBus()
    service = token_service_in_memory(SystemClock(), bus, MemoryGrants(), (SigningKey.generate("k", "RS256"),))
    trusted = TrustedWorkload(
        name="cluster",
        issuer=sent["iss"],
        conditions=(WorkloadCondition(claim="sub", value=SUBJECT),),
        has_keys=True,
        keys=keys,
    )
    async with service.running():
        service.register_service_user("robot", trusted_workloads=(trusted,))
        accepted = [(await credentials(service, tokens[0])).status_code for _ in range(3)]
        refused = [(await credentials(service, one)).status_code for one in tokens[1:]]

    assert accepted == [200] * 3
    assert refused == [401] * 3
