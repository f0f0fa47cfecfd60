"""A form that another change has overtaken: what is stored now is shown, and a second save replaces it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, refusal, send

M = "portico.management.v1"
BASE = "/ui/console/orgs/o1"
VERSION = 'name="sequence" value="8"'


def versioned(console: ConsoleService) -> list[dict[str, Any]]:
    """Answers as the API does with the version 8; returns what was stored."""
    stored: list[dict[str, Any]] = []
    overtaken = refusal("failed_precondition", 400, "USER-728", "It was changed.")

    def change(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        if request.headers.get("if-match") != '"8"':
            return overtaken(fields, request)
        stored.append(fields)
        return httpx.Response(200, json={"details": {"sequence": "9"}})

    console.provider.answers |= {
        f"{M}.ProjectService/UpdateProject": change,
        f"{M}.PolicyService/UpdateCustomLabelPolicy": change,
        f"{M}.PolicyService/UpdateCustomLockoutPolicy": change,
    }
    return stored


FORMS = (
    (f"{BASE}/projects/p1/do/change", "", {"f.name": "Mine"}, "Name: <bdi>Theirs</bdi>"),
    (f"{BASE}/rules/branding", "", {"primaryColor": "#112233"}, "Accent: <bdi>#445566</bdi>"),
    (
        f"{BASE}/rules/login", "", {"section": "lockout", "maxPasswordAttempts": "7"},
        "<bdi>5</bdi>",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("path", "page", "typed", "stored_now"), FORMS)
async def test_second_save_replaces_the_other_change(
    console: ConsoleService, browser: httpx.AsyncClient, path: str, page: str, typed: dict[str, str], stored_now: str
) -> None:
    console.provider.answers |= {
        PERMISSIONS: holding("project.read", "project.write", "policy.read", "policy.write"),
        f"{M}.ProjectService/GetProjectByID": answering({"project": {"id": "p1", "name": "Theirs", "details": {"sequence": "8"}}}),
        **{
            f"{M}.PolicyService/Get{kind}Policy": answering({"policy": {"details": {"sequence": "8"}, "primaryColor": "#445566", "maxPasswordAttempts": "5"}})
            for kind in ("Label", "Login", "PasswordComplexity", "PasswordAge", "Lockout")
        },
    }  # fmt: skip
    stored = versioned(console)
    await console.sign_in(browser, "/ui/console")
    refused = await send(browser, path, page=page, **typed, sequence="7")
    saved = await send(browser, path, page=page, **typed, sequence="8")

    assert refused.status_code == 400
    assert VERSION in refused.text
    assert stored_now in refused.text.split('id="form-changed"')[1]
    assert next(iter(typed.values())) in refused.text
    assert saved.status_code == 303
    assert len(stored) == 1
