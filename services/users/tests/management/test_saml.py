"""SAML identity providers, whose operations are not served."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.servers


@pytest.mark.parametrize("prefix", ["/management/v1", "/admin/v1"])
@pytest.mark.parametrize(
    ("verb", "path"),
    [("POST", "/idps/saml"), ("PUT", "/idps/saml/1"), ("POST", "/idps/saml/1/_generate_certificate")],
)
async def test_saml_is_answered_with_code_12(managed: Any, prefix: str, verb: str, path: str) -> None:
    """Every client that calls an operation on SAML providers reads that there is none, and what to do instead."""
    answer = await managed.api.http.request(verb, f"{prefix}{path}", json={"name": "house"})

    assert answer.json()["code"] == 12
    assert answer.json()["message"].startswith("SAML identity providers are not supported.")
    assert "USER-640" in answer.text
