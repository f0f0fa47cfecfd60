"""The rows of senders of text messages and emails."""

from __future__ import annotations

from typing import Any, Final

from portico_users_rows.permission_rows.idps import INSTANCE_ONLY
from portico_users_rows.permission_rows.row import (
    ABSENT,
    OF_OWN_ORG,
    READS_OWN_ORG,
    Row,
    body,
    but,
    nothing,
)

_ORG: Final = "portico.management.v1.SenderService"
_IAM: Final = "portico.admin.v1.SenderService"
_INVITATION: Final = body(template="EMAIL_TEMPLATE_INVITE")
_PHONE: Final = body(phone="+41791234567")


def _hook(managed: Any, caller: str) -> dict[str, Any]:
    """One sender is changed by several callers: its URL is another for each."""
    url = f"https://hooks.example/{managed.tag}/{caller}"
    return {"url": url, "allowedPrefixes": ["+41"], "messagesPerDay": 5, "messagesPerMonth": 9}


def _email_hook(managed: Any, caller: str) -> dict[str, Any]:
    return {"url": f"https://hooks.example/{managed.tag}/{caller}"}


def _sms(service: str, readers: tuple[int, ...], writers: tuple[int, ...]) -> dict[str, Row]:
    return {
        f"{service}.GetSmsSender": Row("", nothing, readers),
        f"{service}.SetSmsSender": Row("", _hook, writers),
        f"{service}.RotateSmsSenderSecret": Row("", nothing, but(ABSENT, writers)),
        f"{service}.RemoveSmsSender": Row("", nothing, but(ABSENT, writers)),
        f"{service}.TestSmsSender": Row("", _PHONE, but(ABSENT, writers)),
    }


SENDER_ROWS: Final = {
    **_sms(_ORG, READS_OWN_ORG, OF_OWN_ORG),
    f"{_ORG}.GetEmailSender": Row("", nothing, READS_OWN_ORG),
    f"{_ORG}.SetEmailSender": Row("", _email_hook, OF_OWN_ORG),
    f"{_ORG}.RotateEmailSenderSecret": Row("", nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_ORG}.RemoveEmailSender": Row("", nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_ORG}.TestEmailSender": Row("", nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_ORG}.PreviewEmail": Row("", _INVITATION, READS_OWN_ORG),
    f"{_ORG}.SendEmailPreview": Row("", _INVITATION, OF_OWN_ORG),
    **_sms(_IAM, INSTANCE_ONLY, INSTANCE_ONLY),
}
"""No caller has a sender at first: changing an absent one has a separate error."""
