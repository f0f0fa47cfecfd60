"""Applying login policies: organizations and instance are checked together, as planned."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

NONE: dict[str, Any] = {"secondFactors": [], "multiFactors": []}
TEXTS_ONLY: dict[str, Any] = {
    "forceMfa": True,
    "secondFactors": ["SECOND_FACTOR_TYPE_OTP_SMS"],
    "multiFactors": [],
}
OTP_ONLY: dict[str, Any] = {"secondFactors": ["SECOND_FACTOR_TYPE_OTP"], "multiFactors": []}


class Demands:
    def __init__(self, world: Any) -> None:
        self.world = world
        self.ids = [f"{name}-{world.tag}" for name in ("first", "second")]

    async def apply(self, of_all: Any, *policies: Any, **how: Any) -> list[tuple[str, str]]:
        """Returns actions and kinds of all changes. None omits a policy."""
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
        before = [await self.world.rows(name) for name in ("orgs", "instances")]
        with pytest.raises(ServiceError) as refused:
            await self.apply(of_all, *policies)
        assert [await self.world.rows(name) for name in ("orgs", "instances")] == before
        return refused.value.id, refused.value.text.partition(": ")[0]


@pytest.fixture
async def demands(users_world: Any) -> AsyncIterator[Demands]:
    """The instance's policy requires no factor, and the instance has no sender."""
    await users_world.parts.mongo.database["senders"].delete_many({})
    made = Demands(users_world)
    await made.apply({"mayRegister": True})
    yield made
    await users_world.parts.mongo.database["instances"].update_one({"_id": "instance"}, {"$set": {"loginRules": {}}})


async def test_org_is_checked_with_the_instance_in_the_document(demands: Demands) -> None:
    """Each policy is valid alone, but together they prevent all sign-ins; the error has the organization's path."""
    place = "organizations[1].loginPolicy.forceMfa"

    assert await demands.refused(NONE, None, {"forceMfa": True}) == ("USER-883", place)
    assert await demands.refused({"forceMfa": True}, {}, NONE) == ("USER-883", place)


async def test_org_is_checked_with_the_stored_instance(demands: Demands) -> None:
    """If the document omits the instance, its stored login policy applies."""
    await demands.apply(NONE)

    assert await demands.refused(None, {"forceMfa": True}) == ("USER-883", "organizations[0].loginPolicy.forceMfa")
    assert await demands.apply(None, {"forceMfa": True, **OTP_ONLY}) == [("organization", "created")]


async def test_org_without_a_policy_in_the_document_is_checked(demands: Demands) -> None:
    """Its stored policy is checked when the instance changes."""
    await demands.apply(None, {"forceMfa": True})

    assert await demands.refused(NONE, None) == ("USER-883", "organizations[0]")


async def test_orgs_outside_the_document_are_checked(demands: Demands) -> None:
    """The error has the organizations that a restricted instance policy would lock out."""
    await demands.apply(None, {}, {"forceMfa": True})

    with pytest.raises(ServiceError) as refused:
        await demands.apply(NONE, {})
    assert refused.value.id == "USER-911"
    assert refused.value.text.startswith(f"loginPolicy: organizations[{demands.ids[1]}]: ")
    assert await demands.apply(OTP_ONLY, {}) == [("instance", "updated")]


async def test_text_messages_as_the_only_factor_need_a_sender(demands: Demands) -> None:
    """No user could sign in; the sender may be in the same document."""
    place = "loginPolicy.secondFactors"
    sender = {"url": "https://hook.example/sms", "allowedPrefixes": ["+41"], "messagesPerDay": 5, "messagesPerMonth": 9}
    org = {"id": demands.ids[0], "name": demands.ids[0], "loginPolicy": TEXTS_ONLY}

    assert await demands.refused(None, TEXTS_ONLY) == ("USER-404", f"organizations[0].{place}")
    assert await demands.refused(TEXTS_ONLY) == ("USER-404", place)
    await demands.world.apply_document({"organizations": [org | {"smsSender": sender}]})
    await demands.world.apply_document({"organizations": [org | {"loginPolicy": {**TEXTS_ONLY, "mayRegister": True}}]})


async def test_run_may_restrict_the_instance_after_orgs(demands: Demands) -> None:
    """The organizations are written before the instance."""
    await demands.apply(None, {"forceMfa": True})
    done = await demands.apply(NONE, {"forceMfa": True, **OTP_ONLY})

    assert done == [("organization", "updated"), ("instance", "updated")]


async def test_run_may_relax_the_instance_before_orgs(demands: Demands) -> None:
    """The instance is written before the organizations."""
    await demands.apply(NONE)
    wanted = (OTP_ONLY, {"forceMfa": True})

    assert await demands.apply(*wanted) == [("instance", "updated"), ("organization", "created")]
    assert await demands.apply(*wanted) == []


async def test_run_may_relax_and_restrict_the_instance(demands: Demands) -> None:
    """The instance is written in two steps; in between both the old and the new policy allow sign-ins."""
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


async def test_existing_conflict_blocks_no_other_organization(demands: Demands) -> None:
    """A run is not refused for a conflict that an earlier release permitted."""
    await demands.apply(NONE, {})
    orgs = demands.world.parts.mongo.database["orgs"]
    await orgs.update_one({"_id": demands.ids[0]}, {"$set": {"loginRules": {"forceMfa": True}}})

    assert await demands.apply(None, None, {}) == [("organization", "created")]
    assert await demands.apply(OTP_ONLY, None) == [("instance", "updated")]
