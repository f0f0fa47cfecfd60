from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Screen
from portico_console.console_app.screens.tables.shared import ADMIN, CHANGED, MANAGEMENT, fields_in

_DELIVERY: Final = (
    Column("Last delivery", "delivery.lastDeliveryDate", Kind.TIME),
    Column("Last failure", "delivery.lastFailureDate", Kind.TIME),
    Column("Why it failed", "delivery.failure"),
    Column("Previous secret works until", "previousSecretUntil", Kind.TIME),
    CHANGED,
)
_NO_OTHER: Final = "Organizations without their own sender send no text messages."
_OF_INSTANCE: Final = "The sender of the instance is used again."


_SMTP_OR_HOOK: Final = "url|smtpHost"


def _secret_and_removal(service: str, name: str, loses: str) -> tuple[Action, ...]:
    return (
        Action(
            "secret", "Generate new secret", f"{service}/Rotate{name}SenderSecret", done="The sender has a new secret.",
            once=("secret",), needs="url",
        ),
        Action(
            "remove", "Remove sender", f"{service}/Remove{name}Sender", done="The sender was removed.",
            danger=Danger.CONFIRM, loses=loses, needs=_SMTP_OR_HOOK,
        ),
    )  # fmt: skip


def _text_messages(prefix: str, path: str, service: str, loses: str) -> Screen:
    return Screen(
        f"{prefix}sms",
        f"{path}/senders/sms",
        "Text messages",
        getting=Getting(f"{service}/GetSmsSender", "sender"),
        name="",
        facts=(
            Column("Address", "url"),
            Column("Allowed countries", "allowedPrefixes", Kind.LIST),
            Column("Messages per day", "messagesPerDay"),
            Column("Messages per month", "messagesPerMonth"),
            *_DELIVERY,
        ),
        actions=(
            Action(
                "change", "Edit", f"{service}/SetSmsSender", done="The sender was saved.",
                only=fields_in(f"{MANAGEMENT}.SenderService/SetSmsSender"), filled_from=".", once=("secret",),
            ),
            Action(
                "test", "Send test message", f"{service}/TestSmsSender", done="The message is on its way. Reload this page to see whether it was accepted.",
                only=("phone",), needs="url",
            ),
            *_secret_and_removal(service, "Sms", loses),
        ),
        hint="Text messages are posted to your own hook, which sends them with a provider of your choice. Without a sender, none are sent.",
    )  # fmt: skip


EMAILS: Final = Screen(
    "emails",
    "/orgs/{org}/senders/email",
    "Sender of emails",
    getting=Getting(f"{MANAGEMENT}.SenderService/GetEmailSender", "sender"),
    name="",
    facts=(
        Column("Address", "url"),
        Column("Mail server", "smtpHost"),
        Column("Port", "smtpPort"),
        Column("Security", "smtpSecurity", Kind.WORD),
        Column("User name", "smtpUser"),
        Column("Sender address", "fromAddress"),
        *_DELIVERY,
    ),
    actions=(
        Action(
            "change", "Edit", f"{MANAGEMENT}.SenderService/SetEmailSender", done="The sender was saved.",
            only=fields_in(f"{MANAGEMENT}.SenderService/SetEmailSender"), filled_from=".", once=("secret",),
        ),
        Action(
            "test", "Send test email", f"{MANAGEMENT}.SenderService/TestEmailSender", done="The email is on its way. Reload this page to see whether it was accepted.",
            needs=_SMTP_OR_HOOK,
        ),
        *_secret_and_removal(f"{MANAGEMENT}.SenderService", "Email", _OF_INSTANCE),
    ),
    hint="Emails to users of this organization are sent by its own hook or mail server. Without one, the mail server of the instance sends them, and always those to administrators of the instance.",
)  # fmt: skip

SCREENS: Final = (
    _text_messages("", "/orgs/{org}", f"{MANAGEMENT}.SenderService", _OF_INSTANCE),
    EMAILS,
    _text_messages("instance-", "/instance", f"{ADMIN}.SenderService", _NO_OTHER),
)
