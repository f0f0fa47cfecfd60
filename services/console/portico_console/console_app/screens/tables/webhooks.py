from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_console.console_app.screens.screen import (
    Action,
    Column,
    Filter,
    Getting,
    Kind,
    Listing,
    Options,
    Screen,
    Sort,
)
from portico_console.console_app.screens.tables.shared import (
    ADMIN,
    CHANGED,
    CREATED,
    ID,
    MANAGEMENT,
    STATE,
    fields_in,
    removal,
    switches,
)
from portico_console.forms.pickers import EVENT_TYPES

_WORDS: Final = {"eventTypes": EVENT_TYPES}
_FIELDS: Final = fields_in(f"{MANAGEMENT}.WebhookService/AddWebhook")
_PROJECTS: Final = {"projectId": Options(f"{MANAGEMENT}.ProjectService/ListProjects", "id", "name")}


def _actions(service: str, fields: tuple[str, ...], projects: Mapping[str, Options]) -> tuple[Action, ...]:
    return (
        Action("change", "Edit", f"{service}/UpdateWebhook", done="%(name)s was changed.", only=fields, options=projects, words=_WORDS, shown=3, filled_from="."),
        Action(
            "test", "Send test call", f"{service}/TestTokenHook", done="%(name)s was called.",
            once=("cause", "httpStatus", "durationMs", "claims"), is_result=True,
        ),
        Action(
            "secret", "Generate new secret", f"{service}/RotateWebhookSecret", done="%(name)s has a new secret.",
            only=("keepPreviousSeconds",), once=("secret",),
        ),
        *switches(service, "Webhook", on="Activate", loses="Events in the meantime are not delivered."),
        removal(f"{service}/RemoveWebhook", done="%(name)s was removed.", loses="Pending deliveries are discarded."),
    )  # fmt: skip


def _webhooks(prefix: str, path: str, service: str) -> Screen:
    is_of_org = not prefix
    fields = _FIELDS if is_of_org else tuple(name for name in _FIELDS if name != "projectId")
    projects = _PROJECTS if is_of_org else {}
    return Screen(
        f"{prefix}webhooks",
        f"{path}/webhooks",
        "Webhooks",
        part="webhook",
        parts={"webhookId": "webhook"},
        listing=Listing(
            f"{service}/ListWebhooks",
            (
                Column("Name", "name"),
                Column("Address", "url"),
                STATE,
                Column("Failing since", "failingSince", Kind.TIME),
            ),
            sorts=(Sort("Name"),),
        ),
        getting=Getting(f"{service}/GetWebhook", "webhook"),
        facts=(
            STATE,
            Column("Address", "url"),
            Column("Events", "eventTypes", Kind.LIST),
            Column("Failing since", "failingSince", Kind.TIME),
            Column("Last failure", "failure"),
            Column("Previous secret works until", "previousSecretUntil", Kind.TIME),
            Column("Project of the token hook", "projectName"),
            Column("If the token hook fails", "onFailure", Kind.WORD),
            Column("Call the token hook at each refresh", "atRefresh", Kind.YES),
            CREATED,
            CHANGED,
            ID,
        ),
        create=(Action("new", "Create webhook", f"{service}/AddWebhook", done="%(name)s was created.", only=fields, options=projects, words=_WORDS, shown=3, once=("secret",), leads_to="id"),),
        actions=_actions(service, fields, projects),
        children=(f"{prefix}deliveries",),
        hangs=(f"{prefix}deliveries",),
        empty="No webhooks yet.",
    )  # fmt: skip


def _deliveries(prefix: str, path: str, service: str) -> Screen:
    return Screen(
        f"{prefix}deliveries",
        f"{path}/webhooks/{{webhook}}/deliveries",
        "Deliveries",
        part="delivery",
        parts={"webhookId": "webhook", "eventId": "delivery"},
        listing=Listing(
            f"{service}/ListDeliveries",
            (
                Column("Event", "eventType", Kind.WORD),
                Column("Time", "eventDate", Kind.TIME),
                STATE,
                Column("Attempts", "attemptCount"),
                Column("Next attempt", "nextAttempt", Kind.TIME),
            ),
            id="eventId",
            filters=(
                Filter("waiting", "Pending", {"states": ["DELIVERY_STATE_WAITING"]}),
                Filter("delivered", "Delivered", {"states": ["DELIVERY_STATE_DELIVERED"]}),
                Filter("given-up", "Given up", {"states": ["DELIVERY_STATE_GIVEN_UP"]}),
            ),
            newest_first=True,
            sorts=(Sort("Time"),),
        ),
        name="eventType",
        facts=(
            Column("Event", "eventType", Kind.WORD),
            STATE,
            Column("Time", "eventDate", Kind.TIME),
            Column("Object", "aggregateId", Kind.CODE),
            Column("Attempts", "attemptCount"),
            Column("Responses", "attempts.httpStatus", Kind.LIST),
            Column("Failures", "attempts.cause", Kind.LIST),
            Column("Next attempt", "nextAttempt", Kind.TIME),
        ),
        actions=(Action("resend", "Send again", f"{service}/ResendDelivery", done="The event is sent again.", bulk="Send %(count)s events again"),),
        empty="No deliveries yet.",
    )  # fmt: skip


SCREENS: Final = (
    _webhooks("", "/orgs/{org}", f"{MANAGEMENT}.WebhookService"),
    _deliveries("", "/orgs/{org}", f"{MANAGEMENT}.WebhookService"),
    _webhooks("instance-", "/instance", f"{ADMIN}.WebhookService"),
    _deliveries("instance-", "/instance", f"{ADMIN}.WebhookService"),
)
