from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Name, SecretText, Text

_Url = Annotated[str, Meta(min_length=1, max_length=2_000)]


class SmsSender(DeclaredObject, frozen=True):
    """The hook that sends text messages. A missing ``secret`` (``whsec_…``) is generated and shown once."""

    url: _Url
    allowed_prefixes: tuple[Name, ...]
    """Prefixes of the phone numbers that get messages, such as ``+41``."""
    messages_per_day: int
    """Limit of each organization that uses this sender."""
    messages_per_month: int
    secret: SecretText | None = None


class EmailSender(DeclaredObject, frozen=True):
    """An organization's own hook or SMTP server. A missing ``secret`` of a hook is generated and shown once."""

    url: Annotated[str, Meta(max_length=2_000)] | None = None
    smtp_host: Text | None = None
    smtp_port: int | None = None
    smtp_security: Text | None = None
    """``starttls`` or ``tls``."""
    smtp_user: Text | None = None
    from_address: Text | None = None
    smtp_password: SecretText | None = None
    secret: SecretText | None = None
