from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.servers


@pytest.mark.parametrize("prefix", ["/management/v1", "/admin/v1"])
@pytest.mark.parametrize(
    ("verb", "path"),
    [("POST", "/idps/saml"), ("PUT", "/idps/saml/1"), ("POST", "/idps/saml/1/_generate_certificate")],
)
async def test_saml_operations_return_code_12(managed: Any, prefix: str, verb: str, path: str) -> None:
    """The error of operations on SAML providers names an alternative."""
    answer = await managed.api.http.request(verb, f"{prefix}{path}", json={"name": "house"})

    assert answer.json()["code"] == 12
    assert answer.json()["message"].startswith("SAML identity providers are not supported.")
    assert "USER-640" in answer.text
