from __future__ import annotations

from typing import Any

import pytest
from portico_harness.declared import apply_to

pytestmark = pytest.mark.servers


def everything(tag: str) -> dict[str, Any]:
    human = {"profile": {"firstName": "A", "lastName": "B"}, "email": {"email": f"a-{tag}@acme.example"}}
    grant = {"project": "shop", "roleKeys": ["reader"]}
    shop = {
        "name": "shop",
        "roles": [{"roleKey": "reader"}],
        "oidcApps": [{"name": "web"}],
        "apiApps": [{"name": "api"}],
    }
    address = "https://idp.example"
    idp = {"name": "corp", "jwtEndpoint": address, "issuer": address, "keysEndpoint": address}
    return {
        "organizations": [
            {"name": f"Planned {tag}", "projects": [{**shop, "grants": [{"organization": f"Partner {tag}"}]}],
             "humans": [{**human, "roles": ["ORG_OWNER"], "grants": [grant]}], "jwtIdps": [idp],
             "serviceUsers": [{"username": f"bot-{tag}", "name": "Bot"}],
             "webhooks": [{"name": "hook", "url": "https://hook.example/", "eventTypes": ["user.created"]}],
             "scimConnections": [{"name": "Entra"}]},
            {"name": f"Partner {tag}", "members": [{"user": f"bot-{tag}", "roles": ["ORG_OWNER"]}]},
        ]
    }  # fmt: skip


async def ids(users_world: Any, tag: str, *, check: bool = False, seed: str = "seed") -> dict[tuple[str, str], str]:
    applied = await apply_to(users_world.bus, everything(tag), check=check, id_seed=seed)
    return {(change.kind, change.name): change.id for change in applied.changes}


async def test_apply_uses_the_ids_of_the_plan(users_world: Any) -> None:
    """Ids are the same for every kind of object and every repetition of the plan; another document, operator or
    place gives other ids.
    """
    first, second = (
        await ids(users_world, users_world.tag, check=True),
        await ids(users_world, users_world.tag, check=True),
    )
    other = await ids(users_world, users_world.tag, check=True, seed="other")
    applied = await ids(users_world, users_world.tag)
    again = await ids(users_world, users_world.tag, check=True, seed="other")
    kinds = {
        "organization",
        "project",
        "project_grant",
        "app",
        "human",
        "service_user",
        "identity_provider",
        "webhook",
        "scim_connection",
        "member",
    }

    assert {kind for kind, _name in first} == kinds
    assert first == second == applied == again
    assert not set(first.values()) & set(other.values())
    assert len(set(first.values())) == len(first)
    assert {len(id) for id in first.values()} == {26}


async def test_used_ids_are_skipped(users_world: Any) -> None:
    """After a deletion the same document generates new ids, so that an id is never reused."""
    before = await ids(users_world, users_world.tag)
    organization = {"name": f"Planned {users_world.tag}", "projects": []}
    await users_world.apply_document({"organizations": [organization]}, prune=True)
    planned, after = await ids(users_world, users_world.tag, check=True), await ids(users_world, users_world.tag)
    name = ("project", "shop")

    assert planned == after
    assert after[name] != before[name]


async def test_without_a_seed_ids_are_random(users_world: Any) -> None:
    first = await ids(users_world, users_world.tag, check=True, seed="")

    assert first != await ids(users_world, users_world.tag, check=True, seed="")
