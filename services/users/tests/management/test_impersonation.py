"""Who may act for whom, and what the user learns of it (decision 0096)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ACT_FOR_USER, EXPORT, ActForUser, Export
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

_CALLERS = "portico.management.v1.CallerService"
_SETTINGS = "portico.admin.v1.SettingsService"


@pytest.fixture
async def team(managed: Any) -> Any:
    """Users with and without roles, in an organization with an application, and one in another organization."""
    tag, users = managed.tag, managed.users

    def human(name: str, *roles: str) -> dict[str, Any]:
        address = {"email": users.mail(name), "isVerified": True}
        person: dict[str, Any] = users.human(
            id=f"{name}-{tag}", username=f"{name}-{tag}", email=address, roles=list(roles)
        )
        return person

    humans = [
        human("ann"),
        human("support", "ORG_END_USER_IMPERSONATOR"),
        human("manager", "ORG_USER_MANAGER"),
        human("boss", "ORG_OWNER"),
    ]
    org = users.organization(id=f"team-{tag}", name=f"Team {tag}", humans=humans)
    other = {"id": f"others-{tag}", "name": f"Others {tag}", "humans": [human("eve")]}
    await users.apply_document({"allowImpersonation": True, "organizations": [org, other]})
    return managed


async def act(managed: Any, actor: str, user: str, *, only_asked: bool = False, client: str = "") -> str:
    """Returns the id of the error; empty if the actor may."""
    ask = ActForUser(
        actor_id=f"{actor}-{managed.tag}",
        user_id=f"{user}-{managed.tag}",
        client_id=client or managed.users.app()["clientId"],
        only_asked=only_asked,
    )
    try:
        await managed.users.call(ACT_FOR_USER, ask)
    except ServiceError as error:
        return error.id
    return ""


async def test_nobody_acts_for_a_user_who_may_do_more(team: Any) -> None:
    """The permission counts in the organization of the user, and all permissions of the user are needed (0012)."""
    allowed = [await act(team, *pair) for pair in (("support", "ann"), ("boss", "ann"), ("boss", "support"))]
    refused = [
        await act(team, *pair)
        for pair in (
            ("support", "boss"),
            ("support", "manager"),
            ("support", "eve"),
            ("support", "support"),
            ("support", "nobody"),
            ("manager", "ann"),
            ("ann", "support"),
            ("eve", "ann"),
        )
    ]

    assert allowed == [""] * 3
    assert set(refused) == {"USER-886"}
    assert await act(team, "support", "ann", client="unknown") == "USER-886"


async def test_acting_is_off_unless_the_instance_allows_it(team: Any) -> None:
    """The switch is in documents and the API; without it owners are refused as well."""
    exported = (await team.users.call(EXPORT, Export())).document
    token = team.tokens["iam"]
    off = await team.api.json(f"{_SETTINGS}.SetImpersonationSettings", {"allowImpersonation": False}, token=token)
    shown = await team.api.json(f"{_SETTINGS}.GetImpersonationSettings", {}, token=token)

    assert exported is not None
    assert exported.allow_impersonation
    assert (off.code, "allowImpersonation" in shown.body) == (0, False)
    assert await act(team, "boss", "ann") == "USER-885"


async def test_user_is_notified_and_sees_who_acted(team: Any) -> None:
    """Asking alone leaves no trace; acting has an event, one email and an entry in the history of the account."""
    await act(team, "support", "ann", only_asked=True)
    before = await team.users.mails_to(team.users.mail("ann"))
    await act(team, "support", "ann")
    [mail] = await team.users.mails_to(team.users.mail("ann"))
    rows = await team.users.rows("events", table="impersonations", orgId=f"team-{team.tag}")
    team.tokens["ann"] = team.api.token_of(f"ann-{team.tag}")
    found = await call_as(team, f"{_CALLERS}.ListMyEvents", {"query": {"limit": 50}}, by="ann")

    assert before == []
    assert "An administrator used your account" in str(mail["Subject"])
    assert [(row["actor"], row["values"]["userId"]) for row in rows] == [(f"support-{team.tag}", f"ann-{team.tag}")]
    shown = [one for one in found.body["result"] if one["activity"] == "impersonations.impersonated"]
    assert [one["editorUserId"] for one in shown] == [f"support-{team.tag}"]
