from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Step
from portico_contracts.login_steps.consent import RequestedScope
from portico_contracts.step_names import StepName
from portico_fakes.fake_login_api import REQUEST, FakeLoginApi
from portico_fakes.login_messages import moved, step_of

PAGE = f"/ui/login?request={REQUEST}"
SCOPES = (
    RequestedScope("openid"),
    RequestedScope("email", allowed=True),
    RequestedScope("orders.read", "Orders", "Read your <b>orders</b>", "All of them."),
    RequestedScope("urn:portico:project:id:p1:aud"),
)

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


@pytest.fixture(autouse=True)
def consent(api: FakeLoginApi) -> None:
    api.step = moved(
        api.step,
        StepName.CONSENT,
        scopes=SCOPES,
        org_name="Acme",
        client_name="Shop",
        return_uri="https://shop.example/cb?x=1",
    )


async def test_page_names_application_organization_host_and_scopes(browser: httpx.AsyncClient) -> None:
    """Texts of an API are escaped, and a scope without words is shown as it is."""
    page = (await browser.get(PAGE)).text

    for text in (
        "Allow Shop to use your account?",
        '<bdi id="client-org">Acme</bdi>',
        '<bdi id="client-host">shop.example</bdi>',
        "See your email address",
        "allowed before",
        "Read your &lt;b&gt;orders&lt;/b&gt;",
        "<bdi>Orders</bdi>",
        "All of them.",
        "urn:portico:project:id:p1:aud",
    ):
        assert text in page, text


async def test_answer_has_the_scopes_of_the_page(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    following.append(step_of(StepName.DONE, continue_to=api.continue_to))
    answer = await press("consent-allow", {})

    assert answer.status_code == 200
    assert [(given.step, given.scopes) for given in api.answers] == [
        (StepName.CONSENT, tuple(one.scope for one in SCOPES))
    ]


async def test_application_of_a_device_has_its_scheme(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    api.step = replace(api.step, return_uri="com.example.app:/cb")

    assert '<bdi id="client-host">com.example.app</bdi>' in (await browser.get(PAGE)).text
