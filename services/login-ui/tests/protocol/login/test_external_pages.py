from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.login import Answer, Problem, Step
from portico_contracts.login_external import GetJwtHeader, ParkExternal, ParkJwt, ReturnExternal
from portico_contracts.step_names import StepName
from portico_contracts.users import OfferedProvider, Profile, ProviderKind
from portico_fakes.fake_login_api import BROWSER, REQUEST, FakeLoginApi
from portico_fakes.login_messages import entered, moved, step_of
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_oauth.errors import ErrorCode, Kind
from portico_web.cookies import BrowserCookie

PAGE = f"/ui/login?request={REQUEST}"
CALLBACK = "/ui/login/idps/idp-acme/callback"
JWT = "/ui/login/login/jwt"
ISSUER = "https://id.example"
AWAY = "https://acme.example/authorize?state=7f&x=%22"
ACME = OfferedProvider(id="idp-acme", name="Acme <b>", kind=ProviderKind.CODE)
GATE = OfferedProvider(id="idp-gate", name="Gate", kind=ProviderKind.JWT)
FLOW_GONE = ErrorCode("TEST-054", Kind.NOT_FOUND, "This sign-in is finished.")
OFFERING = (StepName.LOGIN_NAME, StepName.PASSWORD, StepName.SELECT_ACCOUNT, StepName.REGISTER)

Press = Callable[[str, Mapping[str, str]], Awaitable[httpx.Response]]


@pytest.mark.parametrize("name", OFFERING)
async def test_each_provider_has_a_button(api: FakeLoginApi, press: Press, name: StepName) -> None:
    """Buttons are on every page before the first factor and submit no input."""
    for number, provider in enumerate((ACME, GATE), 1):
        api.step = moved(api.step, name, providers=(ACME, GATE), login_name="ada")
        await press(f"provider-{number}", {})
        answer = api.answers[-1]
        assert (answer.step, entered(answer)) == (name, {"provider": provider.id})


async def test_redirect_to_a_provider_is_a_page(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    """A redirect after a form would need the provider's origin in form-action, while the page works without a
    script (AZ-17).
    """
    api.step = replace(api.step, providers=(ACME,))
    following.append(moved(api.step, StepName.DONE, leave_to=AWAY))
    answer = await press("provider-1", {})

    assert answer.status_code == 200
    assert f'<meta http-equiv="refresh" content="0;url={AWAY.replace("&", "&amp;")}">' in answer.text
    assert "leave" in Document(answer.text).ids
    assert (answer.headers["referrer-policy"], answer.headers["cache-control"]) == ("same-origin", "no-store")
    assert "acme.example" not in answer.headers["content-security-policy"]


async def test_link_to_the_provider_page_redirects_at_once(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """Without a form, form-action does not apply."""
    api.step = moved(api.step, StepName.DONE, leave_to=AWAY)
    answer = await browser.get(PAGE)

    assert (answer.status_code, answer.headers["location"]) == (303, AWAY)


ADDRESSES: list[str] = ["javascript:alert(1)", "/ui", "//evil", 'https://a"><script>', "https://a b", "https://"]


async def test_only_web_addresses_are_redirected_to(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """An address from authz is validated again (AZ-10)."""
    for address in ADDRESSES:
        with row(address):
            api.step = moved(api.step, StepName.DONE, leave_to=address)
            answer = await browser.get(PAGE)

            assert (answer.status_code, "LOGIN-107" in answer.text) == (500, True)


async def test_callback_continues_its_sign_in(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """Parameters are forwarded with the cookie's handle, and the next page is opened by GET (AZ-16)."""
    api.step = moved(api.step, StepName.PASSWORD)
    answer = await browser.get(f"{CALLBACK}?state=s&code=c&iss=i")
    [message] = api.returned

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert isinstance(message, ReturnExternal)
    assert (message.browser, message.provider_id, message.handle) == (BROWSER, "idp-acme", "")
    assert message.parameters == {"state": "s", "code": "c", "iss": "i"}


async def test_completing_callback_redirects_to_the_application(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """The response sets the cookie of the new handle (LG-11)."""
    cookie = BrowserCookie(ISSUER).set("7fNew")
    api.step = moved(api.step, StepName.DONE, continue_to=api.continue_to, set_cookie=cookie)
    answer = await browser.get(f"{CALLBACK}?state=s&code=c")

    assert (answer.status_code, Document(answer.text).return_address) == (200, api.continue_to)
    assert answer.headers["set-cookie"] == cookie


@pytest.mark.parametrize(
    ("problem", "words"),
    [(Problem.EXTERNAL_FAILED, "failed"), (Problem.EXTERNAL_CANCELLED, "was cancelled")],
)
async def test_provider_error_is_shown_on_the_sign_in_page(
    api: FakeLoginApi, browser: httpx.AsyncClient, problem: Problem, words: str
) -> None:
    api.step = replace(api.step, problem=problem)
    answer = await browser.get(f"{CALLBACK}?state=s&error=access_denied")
    form = Document(answer.text).form_with("loginname-submit")

    assert words in answer.text
    assert form is not None
    assert form.action == PAGE


async def test_post_from_another_site_is_stored(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """The POST has no cookie and a foreign origin, and the GET that follows has one (decision 0047)."""
    headers = {"Origin": "https://acme.example", "Sec-Fetch-Site": "cross-site", "Cookie": ""}
    answer = await browser.post(CALLBACK, data={"state": "s", "code": "c"}, headers=headers)
    await browser.get(answer.headers["location"])
    parked, returned = api.returned

    assert (answer.status_code, answer.headers["location"]) == (303, f"{CALLBACK}?handle=7fHandle")
    assert parked == ParkExternal(provider_id="idp-acme", parameters={"state": "s", "code": "c"}, address="127.0.0.1")
    assert isinstance(returned, ReturnExternal)
    assert (returned.handle, returned.parameters) == ("7fHandle", {})


async def test_jwt_is_stored_and_read_with_the_cookie(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """The header comes from the provider's record, without its Bearer prefix, and the redirect is absolute for
    the proxy (decision 0047).
    """
    headers = {"X-Gate-JWT": "Bearer a.b.c", "Cookie": ""}
    answer = await browser.get(f"{JWT}/authorize?authRequestID=r&userAgentID=u", headers=headers)
    await browser.get(answer.headers["location"])
    asked, parked, returned = api.returned

    assert (answer.status_code, answer.headers["location"]) == (303, f"{ISSUER}{JWT}/callback?handle=7fHandle")
    assert asked == GetJwtHeader(auth_request="r", user_agent="u")
    assert parked == ParkJwt(auth_request="r", user_agent="u", jwt="a.b.c", address="127.0.0.1")
    assert isinstance(returned, ReturnExternal)
    assert (returned.handle, returned.browser) == ("7fHandle", BROWSER)


@pytest.mark.parametrize(
    "headers", [[], [("X-Gate-JWT", "")], [("X-Gate-JWT", "Bearer ")], [("X-Gate-JWT", "a"), ("X-Gate-JWT", "b")]]
)
async def test_exactly_one_jwt_is_accepted(
    api: FakeLoginApi, browser: httpx.AsyncClient, headers: list[tuple[str, str]]
) -> None:
    """With two JWTs a proxy and the service could read different ones."""
    answer = await browser.get(f"{JWT}/authorize?authRequestID=r&userAgentID=u", headers=headers)

    assert (answer.status_code, "LOGIN-030" in answer.text, len(api.returned)) == (400, True, 1)


CALLBACKS: list[str] = [
    f"{CALLBACK}?state=s&state=t",
    f"{CALLBACK}?code=%ff",
    f"{JWT}/callback",
    f"{JWT}/authorize?authRequestID=r&authRequestID=s",
    f"/ui/login/idps/{'x' * 201}/callback?state=s",
]


async def test_malformed_callbacks_are_refused(api: FakeLoginApi, browser: httpx.AsyncClient) -> None:
    """The response is 400 without a request to authz (LG-15)."""
    for address in CALLBACKS:
        with row(address):
            answer = await browser.get(address)

            assert (answer.status_code, api.returned) == (400, [])


COMING_BACK = pytest.mark.parametrize("address", [f"{CALLBACK}?state=s", f"{JWT}/callback?handle=7f"])


@COMING_BACK
async def test_sign_in_callback_needs_the_cookie(api: FakeLoginApi, browser: httpx.AsyncClient, address: str) -> None:
    """Authz knows no intent with that state and gets no browser, and the page explains the missing cookie (LG-14)."""
    api.error = FLOW_GONE.error()
    answer = await browser.get(address, headers={"Cookie": ""})
    [message] = api.returned

    assert (answer.status_code, "LOGIN-102" in answer.text) == (400, True)
    assert isinstance(message, ReturnExternal)
    assert message.browser == ""


@COMING_BACK
async def test_authz_error_is_shown_to_a_browser_with_a_cookie(
    api: FakeLoginApi, browser: httpx.AsyncClient, address: str
) -> None:
    api.error = FLOW_GONE.error()
    answer = await browser.get(address)

    assert (answer.status_code, FLOW_GONE.id in answer.text, "LOGIN-102" in answer.text) == (404, True, False)


@COMING_BACK
async def test_intent_redirects_to_its_callers_page(
    api: FakeLoginApi, browser: httpx.AsyncClient, address: str
) -> None:
    """No cookie is needed or set (decision 0051)."""
    page = "https://pages.example/success?id=i&token=t"
    api.step = step_of(StepName.DONE, leave_to=page)
    answer = await browser.get(address, headers={"Cookie": ""})

    assert (answer.status_code, Document(answer.text).return_address) == (200, page)
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("address", [CALLBACK, f"{JWT}/authorize", f"{JWT}/callback"])
async def test_head_does_not_use_up_the_flow(api: FakeLoginApi, browser: httpx.AsyncClient, address: str) -> None:
    answer = await browser.head(f"{address}?state=s&handle=h")

    assert (answer.status_code, api.returned) == (200, [])


async def test_provider_details_can_be_completed(api: FakeLoginApi, press: Press, following: list[Step]) -> None:
    """The form is prefilled by the provider and keeps the input after an error."""
    stated = Profile(user_name="ada.l", first_name="Ada", last_name="L", email="a@acme.example", email_verified=True)
    step = step_of(StepName.COMPLETE_EXTERNAL, external_name="Acme", profile=stated, missing=("first_name",))
    api.step = step
    following.append(replace(step, problem=Problem.INVALID_FIELD, detail="USER-011"))
    refused = await press("register-submit", {"register-username": "ada"})
    [answer] = api.answers

    assert answer.profile == Profile(user_name="ada", first_name="Ada", last_name="L", email="a@acme.example")
    assert "This name is already in use." in refused.text
    assert re.findall(r'id="([a-z-]+)"[^>]* autofocus', refused.text) == ["register-firstname"]
    form = Document(refused.text).form_with("register-submit")
    assert form is not None
    assert form.filled("register-submit", {})["user_name"] == "ada"


@pytest.mark.parametrize("name", [StepName.COMPLETE_EXTERNAL, StepName.EXTERNAL_NO_ACCOUNT])
@pytest.mark.parametrize("may_link", [False, True])
async def test_account_is_linked_where_permitted(
    api: FakeLoginApi, browser: httpx.AsyncClient, press: Press, name: StepName, may_link: bool
) -> None:
    api.step = step_of(name, external_name="Acme", may_link=may_link)
    assert ("external-start-link" in Document((await browser.get(PAGE)).text).ids) is may_link
    if may_link:
        await press("external-start-link", {})
        assert [entered(answer) for answer in api.answers] == [{"link": True}]


@pytest.mark.parametrize("may_create", [False, True])
async def test_offered_account_may_be_declined(
    api: FakeLoginApi, browser: httpx.AsyncClient, press: Press, may_create: bool
) -> None:
    """The page names the provider and, where permitted, offers a new account."""
    api.step = step_of(StepName.PASSWORD, login_name="ada", external_name="Acme <b>", may_create=may_create)
    page = (await browser.get(PAGE)).text

    assert "<bdi>Acme &lt;b&gt;</bdi>" in page
    assert ("external-create" in Document(page).ids) is may_create
    if may_create:
        await press("external-create", {})
        assert [answer.create for answer in api.answers] == [True]
        assert isinstance(api.answers[0], Answer)
