"""Four cards for a new installation: what its administrator does first. Each is ticked by what is there, and all leave together."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from portico_console.console_app.rights import Frame
from portico_console.visit import Visit

_NEEDED: Final = "iam.write"
"""Permission of those who set up an installation."""


class Step(NamedTuple):
    """One card.

    Attributes:
        word: names it in the template.
        done: it can be seen that it was done.
    """

    word: str
    href: str
    done: bool


async def first_steps(visit: Visit, frame: Frame, *, has_app: bool) -> list[Step]:
    """The cards; none for people who do not set up the installation, and none once all are done.

    Args:
        has_app: the organization has an application.
    """
    if not frame.may(_NEEDED):
        return []
    org = visit.path["org"]
    me, rules, people = await asyncio.gather(
        visit.api.call("portico.user.v2.UserService/GetUserByID", {"userId": visit.session.sub}),
        visit.api.call("portico.admin.v1.PolicyService/GetLoginPolicy"),
        visit.api.call(
            "portico.management.v1.UserService/ListUsers", {"query": {"limit": 2}, "queries": _HUMANS}, org=org
        ),
    )
    base = visit.party.path
    steps = [
        Step("app", f"{base}/orgs/{org}/apps/new", has_app),
        Step("mail", "/ui/account/profile", bool(me["user"]["human"]["email"]["isVerified"])),
        Step("rules", f"{base}/instance/rules/login", bool(rules["policy"]["details"]["changeDate"])),
        Step("invite", f"{base}/orgs/{org}/users/do/new", int(people["details"].get("totalResult", 0)) > 1),
    ]
    return [] if all(step.done for step in steps) else steps


_HUMANS: Final[list[dict[str, Any]]] = [{"typeQuery": {"type": "TYPE_HUMAN"}}]
