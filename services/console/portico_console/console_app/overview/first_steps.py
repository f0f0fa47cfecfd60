"""The first steps of a new installation."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from portico_console.console_app.overview.overview import load_delivery
from portico_console.console_app.rights import Frame
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment

_NEEDED: Final = "iam.write"
"""Permission required to see the cards."""

_HUMANS: Final[list[dict[str, Any]]] = [{"typeQuery": {"type": "TYPE_HUMAN"}}]


class Step(NamedTuple):
    """Without `href` the card has a form."""

    word: str
    href: str
    done: bool


class FirstSteps(NamedTuple):
    steps: list[Step]
    delivery: Fields


async def load_first_steps(ctx: RequestContext, frame: Frame, *, has_app: bool) -> FirstSteps:
    """No steps once all are done; an installation may do without emails."""
    if not frame.may(_NEEDED):
        return FirstSteps([], Fields())
    org = ctx.path["org"]
    rules, people, delivery = await asyncio.gather(
        ctx.api.call("portico.admin.v1.PolicyService/GetLoginPolicy"),
        ctx.api.call(
            "portico.management.v1.UserService/ListUsers", {"query": {"limit": 2}, "queries": _HUMANS}, org=org
        ),
        load_delivery(ctx, frame),
    )
    base = ctx.party.path
    steps = [
        Step("app", f"{base}/orgs/{segment(org)}/apps/new", has_app),
        Step("mail", "", bool(delivery.get("lastDeliveryDate"))),
        Step("rules", f"{base}/instance/rules/login", bool(rules["policy"]["details"]["changeDate"])),
        Step("invite", f"{base}/orgs/{segment(org)}/invite", int(people["details"].get("totalResult", 0)) > 1),
    ]
    without_emails = not delivery.get("mailServerConfigured")
    left = [step for step in steps if not step.done and not (step.word == "mail" and without_emails)]
    return FirstSteps(steps if left else [], delivery)
