"""The page on which the user allows an application what it requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace
from portico_contracts.login_steps.consent import ConsentAnswer, ConsentStep
from portico_oauth.parameters import Parameters, split_words
from portico_web.countries import country_name

from portico_login_ui.methods.method import Method, PageContext
from portico_login_ui.scripts import loads, page_script


def _read(form: Parameters, bare: ConsentAnswer) -> ConsentAnswer | None:
    """The scopes and resources that the page showed."""
    shown = split_words(form.get("scopes", ""))
    return replace(bare, scopes=tuple(shown)) if shown else None


def _context(page_context: PageContext[ConsentStep]) -> dict[str, Any]:
    """The host that the browser continues to, or the scheme of an app; for a device its code, time and country."""
    if device := page_context.step.device:
        return {
            "device_code": f"{device.user_code[:4]}-{device.user_code[4:]}",
            "device_asked": datetime.fromtimestamp(device.asked_at, UTC).isoformat(timespec="seconds"),
            "device_country": country_name(device.country, page_context.language.tag),
            **loads(page_script(), page_context.issuer),
        }
    uri = urlsplit(page_context.step.return_uri)
    return {"host": uri.netloc if uri.scheme in ("https", "http") else uri.scheme}


METHOD = Method("consent.html", ConsentStep, ConsentAnswer, _read, _context)
