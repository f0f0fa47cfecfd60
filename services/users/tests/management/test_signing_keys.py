from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.keys import KeyState, RevokeKey, RotateKeys
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

KEYS = "portico.admin.v1.SigningKeyService"
EVENTS = "portico.management.v1.EventService.ListEvents"


async def test_keys_are_listed_without_secrets(managed: Any) -> None:
    """Keys are listed by algorithm with state and times; a revoked key has no signing time."""
    managed.api.keys = (
        KeyState(kid="k3", alg="RS256", state="published", since=1_700_000_000.0, activates_at=1_700_003_600.0),
        KeyState(kid="k2", alg="ES256", state="signing", since=1_690_000_000.0, activates_at=1_690_000_000.0),
        KeyState(kid="k1", alg="RS256", state="revoked", since=1_680_000_000.0, activates_at=1_670_000_000.0),
    )
    listed = await call_as(managed, f"{KEYS}.ListSigningKeys", {}, by="iam")

    assert listed.body["details"]["totalResult"] == "3"
    assert listed.body["result"] == [
        {
            "kid": "k2",
            "alg": "ES256",
            "state": "SIGNING_KEY_STATE_SIGNING",
            "since": "2023-07-22T04:26:40Z",
            "activationDate": "2023-07-22T04:26:40Z",
        },
        {
            "kid": "k3",
            "alg": "RS256",
            "state": "SIGNING_KEY_STATE_PUBLISHED",
            "since": "2023-11-14T22:13:20Z",
            "activationDate": "2023-11-14T23:13:20Z",
        },
        {"kid": "k1", "alg": "RS256", "state": "SIGNING_KEY_STATE_REVOKED", "since": "2023-03-28T10:40:00Z"},
    ]


async def test_rotation_is_logged_with_its_requester(managed: Any) -> None:
    """The request is sent to keys, and logged with the caller in the instance's events."""
    managed.api.key_requests.clear()
    await call_as(managed, f"{KEYS}.RotateSigningKeys", {"alg": "ES256", "now": True}, by="iam")
    await call_as(managed, f"{KEYS}.RevokeSigningKey", {"kid": "k1"}, by="iam", path="/admin/v1/signing_keys/k1")

    assert managed.api.key_requests == [RotateKeys(alg="ES256", now=True), RevokeKey(kid="k1")]
    rows = await managed.users.rows("events", table="signingKeys", actor=f"iam-{managed.tag}")
    assert [(row["action"], row["values"]) for row in sorted(rows, key=lambda row: row["action"])] == [
        ("revoked", {"kid": "k1"}),
        ("rotated", {"alg": "ES256", "now": True}),
    ]
    assert {row["orgId"] for row in rows} == {"instance"}
