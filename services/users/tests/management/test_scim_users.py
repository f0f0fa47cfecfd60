from __future__ import annotations

from typing import Any

import pytest

from .scim_client import ENTERPRISE, Provisioner


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


async def test_user_is_created_and_read_back(client: Provisioner) -> None:
    """The answer has what was sent, our id, the address of the resource and its version (RFC 7644 section 3.3)."""
    sent = client.person(
        displayName="Ada B.", title="Countess", phoneNumbers=[{"value": "+44 20 7946 0000", "type": "work"}]
    )
    sent[ENTERPRISE] = {"department": "Engines", "manager": {"value": "m-1"}}
    answer = await client.send("POST", "/Users", sent)
    made = answer.json()

    assert answer.status_code == 201
    assert answer.headers["content-type"] == "application/scim+json"
    assert answer.headers["location"] == made["meta"]["location"]
    assert made == await client.get(f"/Users/{made['id']}")
    assert {name: made[name] for name in sent if name not in ("schemas", "name")} == {
        name: value for name, value in sent.items() if name not in ("schemas", "name")
    }
    assert answer.headers["etag"] == made["meta"]["version"] == 'W/"1"'


async def test_unknown_connection_is_not_found(client: Provisioner) -> None:
    """Without a connection there is no SCIM."""
    client.id = "another"

    assert (await client.send("GET", "/Users")).status_code == 404


@pytest.mark.parametrize("secret", ["", "wrong", "portico_scim_", "\u00e9", "a b", "x" * 5_000])
async def test_every_wrong_token_gets_the_same_answer(client: Provisioner, secret: str) -> None:
    """Also the empty one (ToolJet #16217): a connection that has no secret has none that is empty."""
    client.secret = "wrong"
    expected = await client.send("GET", "/Users")
    answer = await client.send("GET", "/Users", headers={"Authorization": f"Bearer {secret}".encode()})  # type: ignore[dict-item]

    assert (answer.status_code, answer.content) == (401, expected.content)
