"""The finished code requests the scopes of APIs, and names a single API where its users are read from the id_token."""

from __future__ import annotations

import pytest
from portico_snippets import FRAMEWORKS, Application, find_framework, render

SENDING = {"next-auth-4", "react-oidc-context", "oidc-spa", "msal-browser"}
RESOURCE = "https://orders.example.test/v1"


def code_of(name: str, scope: str = "openid profile email", resource: str = "") -> str:
    framework = find_framework(name)
    uri = f"http://localhost:3000{framework.redirect_path or '/cb'}"
    application = Application("https://id.example.test", "shop-1", uri, framework.method, scope, resource)
    return "\n".join(render(framework, application).files.values())


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_all_scopes_are_requested(name: str) -> None:
    code = code_of(name, "openid profile email orders.read orders.write")

    assert "orders.read" in code
    assert "orders.write" in code


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_resource_is_sent_by_code_without_userinfo(name: str) -> None:
    """Userinfo refuses tokens for a resource (RFC 8707), so code that reads it names APIs by their scopes."""
    code = code_of(name, resource=RESOURCE)

    assert (RESOURCE in code) is (name in SENDING)
    assert "resource" not in code_of(name)
    assert name not in SENDING or find_framework(name).userinfo_in_id_token
