"""What needs attention: a sentence and the page where it is put right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from portico_console.messages import message
from portico_console.request_context import segment

_MEMBERS: Final = "/members"
_EMAILS: Final = "#emails"


class _Advice(NamedTuple):
    """`path` is below the organization or the instance."""

    sentence: str
    button: str
    path: str


_ADVICE: Final = {
    "ONE_OWNER": _Advice(
        message("There is only one owner. If this account is lost, no other account can help."),
        message("Add administrator"),
        _MEMBERS,
    ),
    "NO_SECOND_FACTOR": _Advice(
        message("Administrators who sign in with a password alone: %(count)s, for example %(name)s."),
        message("Show administrators"),
        _MEMBERS,
    ),
    "WEBHOOK_FAILS": _Advice(message("The webhook %(name)s fails."), message("Show webhook"), "/webhooks/{id}"),
    "SCIM_TARGET_FAILS": _Advice(
        message("The SCIM target %(name)s fails."),
        message("Show SCIM target"),
        "/projects/{project}/apps/{id}/scim-targets",
    ),
    "CERTIFICATE_ENDS": _Advice(
        message("A CA certificate of %(name)s has expired or expires within 30 days."),
        message("Show identity provider"),
        "/idps/{id}",
    ),
    "EMAILS_FAILED": _Advice(
        message("Emails that could not be delivered within seven days: %(count)s. Last reason: %(reason)s"),
        message("Send a test email"),
        _EMAILS,
    ),
    "ADDRESS_FAILS": _Advice(
        message(
            "Emails to users that could not be delivered within seven days: %(count)s. The last one was to %(name)s: %(reason)s"
        ),
        message("Show user"),
        "/users/{id}",
    ),
    "EMAILS_WAITING": _Advice(
        message("Emails that the mail server does not accept: %(count)s. They are retried."),
        message("Send a test email"),
        _EMAILS,
    ),
    "NO_EMAIL_DELIVERED": _Advice(
        message("No email has been delivered yet. Last response of the mail server: %(reason)s"),
        message("Send a test email"),
        _EMAILS,
    ),
    "NO_MAIL_SERVER": _Advice(
        message("No mail server is configured. Invitations and codes cannot be sent."),
        message("Sign-in rules"),
        "/rules/login",
    ),
    "SECRET_ENDS": _Advice(
        message("Client secrets that have expired or expire within 30 days: %(count)s. The first is that of %(name)s."),
        message("Show application"),
        "/projects/{project}/apps/{id}#secrets",
    ),
    "SECRET_ENDS_OF_SERVICE_USER": _Advice(
        message(
            "Secrets of service users that have expired or expire within 30 days: %(count)s. The first is that of %(name)s."
        ),
        message("Show service user"),
        "/machines/{id}",
    ),
    "OLD_SIGNING_KEY": _Advice(
        message("The signing key for %(name)s is more than a year old."),
        message("Rotate keys"),
        "/signing-keys/do/rotate",
    ),
}


class Item(NamedTuple):
    sentence: str
    values: dict[str, Any]
    button: str
    href: str


def items_of(found: Iterable[dict[str, Any]], base: str) -> list[Item]:
    """Omits kinds of newer releases. `base` is the address of the organization or of the instance."""
    items = []
    for one in found:
        kind = one.get("kind", "").removeprefix("ATTENTION_KIND_")
        is_of_service_user = kind == "SECRET_ENDS" and not one.get("projectId", "")
        advice = _ADVICE.get(f"{kind}_OF_SERVICE_USER" if is_of_service_user else kind)
        if advice:
            path = advice.path.replace("{id}", segment(one.get("id", "")))
            path = path.replace("{project}", segment(one.get("projectId", "")))
            values = {"count": one.get("count", 0), **{word: one.get(word, "") for word in ("name", "reason")}}
            items.append(Item(advice.sentence, values, advice.button, f"{base}{path}"))
    return items
