"""The page on which the user allows an application what it requests."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace
from portico_contracts.login import Answer
from portico_oauth.parameters import Parameters, split_words

from portico_login_ui.methods.method import PageContext


def read_consent(form: Parameters, bare: Answer) -> Answer | None:
    """The scopes and resources that the page showed."""
    shown = split_words(form.get("scopes", ""))
    return replace(bare, scopes=tuple(shown)) if shown else None


def consent_context(page_context: PageContext) -> dict[str, Any]:
    """The host that the browser continues to; the scheme of an app on the device."""
    uri = urlsplit(page_context.step.return_uri)
    return {"host": uri.netloc or uri.scheme}
