from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from portico_demo_rp.memory import SignedIn
from portico_demo_rp.provider import NotSignedIn
from portico_demo_rp.settings import DemoRpSettings

_TIMES: Final = frozenset({"exp", "iat", "nbf", "auth_time", "updated_at"})
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


def welcome(settings: DemoRpSettings, signed_out_at: float | None) -> Response:
    return _page("welcome.html", settings, signed_out_at=signed_out_at)


def signed_out(settings: DemoRpSettings) -> Response:
    return _page("signed_out.html", settings)


def signed_in(settings: DemoRpSettings, session: SignedIn) -> Response:
    name = session.userinfo.get("name") or session.userinfo.get("preferred_username") or session.claims["sub"]
    return _page("signed_in.html", settings, name=name, session=session)


def failed(settings: DemoRpSettings, error: NotSignedIn) -> Response:
    return _page("failed.html", settings, status=error.status, code=error.code, text=error.text)


def readable(name: str, value: Any) -> str:
    if name in _TIMES and isinstance(value, int | float):
        return f"{value} ({datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M:%S} UTC)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _page(template: str, settings: DemoRpSettings, status: int = 200, **context: Any) -> HTMLResponse:
    text = _ENVIRONMENT.get_template(template).render(issuer=settings.issuer, client_id=settings.client_id, **context)
    return HTMLResponse(text, status_code=status, headers=_HEADERS)


_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("portico_demo_rp"), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
_ENVIRONMENT.globals["readable"] = readable
