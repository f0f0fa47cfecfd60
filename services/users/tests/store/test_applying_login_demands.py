"""Applying login policies: what organizations demand and what the instance allows are judged together, as planned."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

NONE: dict[str, Any] = {"secondFactors": [], "multiFactors": []}
OTP_ONLY: dict[str, Any] = {"secondFactors": ["SECOND_FACTOR_TYPE_OTP"], "multiFactors": []}


class Demands:
    """A document of the instance's policy and two organizations."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.ids = [f"{name}-{world.tag}" for name in ("first", "second")]

    async def apply(self, of_all: Any, *policies: Any, **how: Any) -> list[tuple[str, str]]:
        """Applies the policies; None leaves one out. What was done to which kind, but for what is unchanged."""
        orgs = [{"id": id, "name": id} for id in self.ids[: len(policies)]]
        for org, policy in zip(orgs, policies, strict=True):
            if policy is not None:
                org["loginPolicy"] = policy
        document: dict[str, Any] = {"organizations": orgs}
        if of_all is not None:
            document["loginPolicy"] = of_all
        applied = await self.world.apply_document(document, **how)
        return [(change.kind, change.action) for change in applied.changes if change.action != "unchanged"]

    async def refused(self, of_all: Any, *policies: Any) -> tuple[str, str]:
        """The fact and its place, of a run that writes nothing."""
        before = [await self.world.rows(name) for name in ("orgs", "instances")]
        with pytest.raises(ServiceError) as refused:
            await self.apply(of_all, *policies)
        assert [await self.world.rows(name) for name in ("orgs", "instances")] == before
        return refused.value.id, refused.value.text.partition(": ")[0]


@pytest.fixture
async def demands(users_world: Any) -> AsyncIterator[Demands]:
    """The instance has a policy without a demand."""
    made = Demands(users_world)
    await made.apply({"mayRegister": True})
    yield made
    await users_world.parts.mongo.database["instances"].update_one({"_id": "instance"}, {"$set": {"loginRules": {}}})


async def test_an_organization_is_judged_with_the_instance_of_the_same_document(demands: Demands) -> None:
    """Each policy is valid by itself, together no user could sign in; the organization's place is named."""
    place = "organizations[1].loginPolicy.forceMfa"

    assert await demands.refused(NONE, None, {"forceMfa": True}) == ("USER-883", place)
    assert await demands.refused({"forceMfa": True}, {}, NONE) == ("USER-883", place)


async def test_an_organization_is_judged_with_the_instance_that_is_stored(demands: Demands) -> None:
    """Where the document leaves the instance out, its stored login policy decides."""
    await demands.apply(NONE)

    assert await demands.refused(None, {"forceMfa": True}) == ("USER-883", "organizations[0].loginPolicy.forceMfa")
    assert await demands.apply(None, {"forceMfa": True, **OTP_ONLY}) == [("organization", "created")]


async def test_an_organization_that_is_named_without_a_policy_is_judged(demands: Demands) -> None:
    """By what is stored of it, when the instance changes."""
    await demands.apply(None, {"forceMfa": True})

    assert await demands.refused(NONE, None) == ("USER-883", "organizations[0]")


async def test_organizations_the_document_does_not_name_are_asked(demands: Demands) -> None:
    """When the instance takes away what they rely on; they are named."""
    await demands.apply(None, {}, {"forceMfa": True})

    with pytest.raises(ServiceError) as refused:
        await demands.apply(NONE, {})
    assert refused.value.id == "USER-911"
    assert refused.value.text.startswith(f"loginPolicy: organizations[{demands.ids[1]}]: ")
    assert await demands.apply(OTP_ONLY, {}) == [("instance", "updated")]


async def test_a_run_may_narrow_the_instance_and_let_go_of_it(demands: Demands) -> None:
    """The organizations are written before the instance."""
    await demands.apply(None, {"forceMfa": True})
    done = await demands.apply(NONE, {"forceMfa": True, **OTP_ONLY})

    assert done == [("organization", "updated"), ("instance", "updated")]


async def test_a_run_may_widen_the_instance_and_rely_on_it(demands: Demands) -> None:
    """The instance is written before the organizations."""
    await demands.apply(NONE)
    wanted = (OTP_ONLY, {"forceMfa": True})

    assert await demands.apply(*wanted) == [("instance", "updated"), ("organization", "created")]
    assert await demands.apply(*wanted) == []


async def test_a_run_may_do_both(demands: Demands) -> None:
    """In two steps of the instance: in between everybody is let in who was before, or will be after."""
    await demands.apply({"forceMfa": True, **OTP_ONLY}, {"secondFactors": ["SECOND_FACTOR_TYPE_U2F"]}, {})
    wanted = ({"mayRegister": True, **NONE}, NONE, {"forceMfa": True, **OTP_ONLY})
    done = await demands.apply(*wanted)

    assert done == [
        ("instance", "updated"),
        ("organization", "updated"),
        ("organization", "updated"),
        ("instance", "updated"),
    ]
    assert await demands.apply(*wanted) == []


async def test_an_existing_contradiction_blocks_no_other_organization(demands: Demands) -> None:
    """A run that does not make it is not refused for it: an earlier release let it be."""
    await demands.apply(NONE, {})
    orgs = demands.world.parts.mongo.database["orgs"]
    await orgs.update_one({"_id": demands.ids[0]}, {"$set": {"loginRules": {"forceMfa": True}}})

    assert await demands.apply(None, None, {}) == [("organization", "created")]
    assert await demands.apply(OTP_ONLY, None) == [("instance", "updated")]
