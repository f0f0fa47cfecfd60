"""Pages of an organization that allows no passwords (decision 0143)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_contracts.step_names import StepName
from portico_contracts.users import OfferedProvider, ProviderKind
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved

PAGE = f"/ui/login?request={REQUEST}"
ACME = OfferedProvider(id="idp-1", name="Acme", kind=ProviderKind.CODE)


async def shown(api: FakeLoginApi, browser: httpx.AsyncClient, **fields: Any) -> str:
    api.step = moved(api.step, StepName.PASSWORD, login_name="ada@example.com", **fields)
    return (await browser.get(PAGE)).text


@pytest.mark.parametrize(
    ("fields", "id"),
    [
        ({"may_use_passkey": True}, "passkey-start"),
        ({"may_use_email_code": True}, "email-code-start"),
        ({"providers": (ACME,)}, "provider-1"),
        ({}, "no-way-in"),
    ],
)
async def test_page_has_the_other_ways_and_no_password(
    api: FakeLoginApi, browser: httpx.AsyncClient, fields: dict[str, Any], id: str
) -> None:
    """Where no way is left, the page has a sentence instead of an empty form."""
    page = await shown(api, browser, without_password=True, **fields)

    assert f'id="{id}"' in page
    assert 'type="password"' not in page
    assert ('id="no-way-in"' in page) is not bool(fields)


async def test_owners_find_the_field_under_a_heading(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    page = await shown(api, browser, without_password=True, for_owners=True, may_use_passkey=True)
    before, field, _ = page.partition('id="password"')

    assert field
    assert before.rindex("<details") > before.rindex("<form")
    assert " open" not in before[before.rindex("<details") :].split(">")[0]


@pytest.mark.parametrize("without", [False, True])
async def test_registration_has_the_field_only_with_passwords(
    api: FakeLoginApi, browser: httpx.AsyncClient, without: bool
) -> None:
    api.step = moved(api.step, StepName.REGISTER, may_register=True, without_password=without)
    page = (await browser.get(PAGE)).text

    assert ('id="register-password"' in page) is not without
    assert 'id="register-submit"' in page
