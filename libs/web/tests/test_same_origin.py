from __future__ import annotations

import pytest
from portico_oauth.errors import Kind, ServiceError
from portico_web.same_origin import refuse_foreign_form
from starlette.requests import Request

ISSUER = "https://op.example.test"


def a_post(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "headers": raw})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.test"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://op.example.test"},
        {"origin": "https://op.example.test:8443"},
        {"origin": "https://op.example.test.evil.test"},
        {"origin": "https://OP.example.test"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"sec_fetch_site": ""},
        {"origin": ISSUER, "sec_fetch_site": "cross-site"},
        {"origin": "https://evil.test", "sec_fetch_site": "same-origin"},
        {"origin": "", "sec_fetch_site": "same-origin"},
        {"origin": "null", "sec_fetch_site": "cross-site"},
        {"origin": "null", "sec_fetch_site": "same-site"},
        {"origin": "null", "sec_fetch_site": "none"},
        {"origin": "null", "sec_fetch_site": "same-origin, cross-site"},
    ],
)
def test_form_of_another_origin_is_refused(headers: dict[str, str]) -> None:
    """A foreign Origin, null without Fetch metadata, and any Sec-Fetch-Site but same-origin get 403 (LG-14)."""
    with pytest.raises(ServiceError) as refused:
        refuse_foreign_form(a_post(**headers), ISSUER)

    assert refused.value.kind is Kind.PERMISSION_DENIED
    assert refused.value.rendering.status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": ISSUER},
        {"sec_fetch_site": "same-origin"},
        {"origin": ISSUER, "sec_fetch_site": "same-origin"},
        {"origin": "null", "sec_fetch_site": "same-origin"},
    ],
)
def test_own_form_is_accepted(headers: dict[str, str]) -> None:
    """Without these headers the CSRF token decides, and without a referrer the Fetch metadata (LG-14)."""
    refuse_foreign_form(a_post(**headers), ISSUER)
