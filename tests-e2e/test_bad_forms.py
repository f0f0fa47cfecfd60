"""Bad input at the login pages: forged forms, forged cookies, markup, and steps out of order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlencode

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from portico_scenarios.agent import Agent, Page, redirect_from
from portico_scenarios.attacker import FORM, Attacker
from portico_scenarios.bad_values import CONTROL, LONG, MARKUP, RAW
from portico_scenarios.machine_speed import signature_seconds
from portico_scenarios.participants import ALICE, ERIN
from portico_scenarios.relying_party import begin
from portico_scenarios.response_checks import ResponseChecks
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("unharmed")]


class Visitor:
    def __init__(self, world: World, agent: Agent) -> None:
        self.world = world
        self.agent = agent
        self.response_checks = ResponseChecks(world.clients["basic"].redirect_uri)
        self.address = ""

    async def arrive(self, **changes: str | None) -> None:
        page = await self.agent.open(begin(self.world.metadata, self.world.clients["basic"], **changes).url)
        self.response_checks.check(page.response, "the first page")
        self.address = str(page.response.url)

    async def go_to_password(self, login_name: str = ALICE.login_name) -> None:
        page = await self.agent.press("loginname-submit", loginname=login_name)
        self.response_checks.check(page.response, "the second page")

    def fields(self, button: str = "loginname-submit", **values: str) -> dict[str, str]:
        assert self.agent.page is not None
        form = self.agent.page.document.form_with(button)
        assert form is not None, self.agent.page.response.text
        return {**form.filled(button, {}), **values}

    async def start_over(self) -> None:
        await self.reload()
        if self.shows("login-restart"):
            page = await self.agent.press("login-restart")
            self.response_checks.check(page.response, "started over")
        if not self.shows("loginname"):
            await self.arrive()

    async def reload(self) -> None:
        self.response_checks.check((await self.agent.open(self.address)).response, "reloaded")

    def shows(self, id: str) -> bool:
        return self.agent.page is not None and self.agent.page.shows(id)

    @property
    def text(self) -> str:
        assert self.agent.page is not None
        return self.agent.page.response.text

    async def send(self, body: str | dict[str, str], headers: dict[str, str] | None = None) -> httpx.Response:
        """Sends a form to the page's URL, by default as the page would."""
        content = body if isinstance(body, str) else urlencode(body)
        origin = {"Origin": self.world.issuer, "Sec-Fetch-Site": "same-origin"} if headers is None else headers
        answer = await self.agent.http.post(self.address, content=content, headers={"Content-Type": FORM, **origin})
        return self.response_checks.check(answer, f"{content} {headers}")


class Walker(Visitor):
    """Takes the steps of a sign-in in any order, and knows the allowed results."""

    def __init__(self, world: World, agent: Agent) -> None:
        super().__init__(world, agent)
        self._name = ""
        self._sent: dict[str, str] = {}

    async def take(self, step: str) -> bool:
        """Takes one step; returns True when it led back to the application."""
        page = await self._page_after(step)
        if page is None or page.returned is None:
            return False
        right = step == "right" and self._name == ERIN.login_name
        assert ("code" in page.returned) == right, (step, self._name, page.returned)
        assert right or (step == "cancel" and page.returned["error"] == "access_denied"), (step, page.returned)
        return True

    async def _page_after(self, step: str) -> Page | None:
        match step:
            case "replay":
                if self._sent:
                    assert (await self.send(self._sent)).status_code in (200, 303, 403)
                return None
            case "password first":
                if self.shows("loginname"):
                    await self.send(self.fields(step="password", password=ERIN.password))
                return await self.agent.open(self.address)
            case "reload":
                return await self.agent.open(self.address)
            case "resume":
                return await self.agent.open(self.address.replace("/ui/login", "/oauth/v2/authorize/resume"))
        return await self._press(step)

    async def _press(self, step: str) -> Page | None:
        button, values = BUTTONS[step]
        if not self.shows(button):
            return None
        if button == "loginname-submit":
            self._name = values["loginname"]
            self._sent = self.fields(login_name=self._name)
        if step == "restart":
            self._name = ""
        return await self.agent.press(button, **values)


BUTTONS: dict[str, tuple[str, dict[str, str]]] = {
    "name": ("loginname-submit", {"loginname": ERIN.login_name}),
    "stranger": ("loginname-submit", {"loginname": "nobody-walks-here"}),
    "right": ("password-submit", {"password": ERIN.password}),
    "restart": ("login-restart", {}),
    "cancel": ("login-cancel", {}),
}


@pytest.fixture
async def visitor(world: World) -> AsyncIterator[Visitor]:
    async with world.agent() as agent:
        made = Visitor(world, agent)
        await made.arrive()
        yield made


FIELDS = ("csrf", "step", "login_name", "request")


async def test_bad_values_do_not_break_the_first_form(visitor: Visitor) -> None:
    """Any value in any field, well-encoded or not, is handled, and the sign-in can continue (RX-12)."""
    for field in FIELDS:
        for value in (*CONTROL, *LONG, *MARKUP):
            await visitor.send({**visitor.fields(), "login_name": "x", field: value})
            await visitor.start_over()
        rest = urlencode({name: value for name, value in visitor.fields().items() if name != field})
        for raw in RAW:
            await visitor.send(f"{rest}&{field}={raw}")
        await visitor.start_over()
    await visitor.go_to_password()

    assert visitor.shows("password")


async def test_displayed_input_is_escaped(visitor: Visitor) -> None:
    """Hint, name and state never become markup on any page (AZ-08, MG-20)."""
    for payload in MARKUP:
        await visitor.arrive(login_hint=payload, state=payload)
        pages = [visitor.text]
        await visitor.go_to_password(payload)
        pages.append(visitor.text)
        for page in pages:
            assert payload not in page or not set(payload) & set("<>\"'"), payload
            assert "onerror=" not in page.replace("&#34;", "").replace("&#39;", "") or "&lt;img" in page, payload


async def test_overlong_password_is_not_hashed(visitor: Visitor) -> None:
    """More than 200 characters are refused before authz is called, and do not count as an attempt (LG-15)."""
    attacker = Attacker(visitor.world)
    await visitor.go_to_password(ERIN.login_name)
    before = await attacker.measured("users", "process_cpu_seconds_total")
    for password in ("x" * 201, "é" * 201, "\U0001f600" * 201, "x" * 60_000, "") * 4:
        answer = await visitor.send({**visitor.fields("password-submit"), "password": password})
        assert answer.status_code == (400 if password else 303), len(password)
    spent = await attacker.measured("users", "process_cpu_seconds_total") - before
    page = await visitor.agent.press("password-submit", password=ERIN.password)

    assert spent < 600 * signature_seconds()  # sixteen hashes are more than 1,000
    assert "code" in (page.returned or {})


ORIGINS: dict[str, dict[str, str]] = {
    "null": {"Origin": "null"},
    "empty": {"Origin": ""},
    "foreign": {"Origin": "https://evil.example.test"},
    "foreign, claims to be the same": {"Origin": "https://evil.example.test", "Sec-Fetch-Site": "same-origin"},
    "same site": {"Sec-Fetch-Site": "same-site"},
    "cross site": {"Sec-Fetch-Site": "cross-site"},
    "no site": {"Sec-Fetch-Site": "none"},
}


async def test_cross_origin_form_is_refused(visitor: Visitor) -> None:
    """A form of another origin gets 403 even with a valid CSRF token, and changes nothing (LG-14)."""
    wrong = {}
    for origin, headers in ORIGINS.items():
        answer = await visitor.send(visitor.fields(login_name=ALICE.login_name), headers)
        await visitor.reload()
        if answer.status_code != 403 or not visitor.shows("loginname"):
            wrong[origin] = answer.status_code

    assert wrong == {}


async def test_csrf_token_works_once_and_in_its_browser_only(world: World, visitor: Visitor) -> None:
    """A missing, changed, used or foreign CSRF token gets 403; the valid one works once (LG-14, JW-14)."""
    async with world.agent() as agent:
        other = Visitor(world, agent)
        await other.arrive()
        mine, foreign = visitor.fields()["csrf"], other.fields()["csrf"]
        wrong = ["", "x", foreign, mine[:-1], mine + "A", mine.swapcase(), f" {mine}"]
        answers = [await visitor.send(visitor.fields(login_name="x", csrf=csrf)) for csrf in wrong]
        stolen = await other.send(visitor.fields(login_name="x"))
        own = {"Origin": world.issuer}
        elsewhere = await agent.http.post(visitor.address, data=visitor.fields(login_name="x"), headers=own)
    fields = visitor.fields(login_name=ALICE.login_name)
    first, second = await visitor.send(fields), await visitor.send(fields)

    assert [answer.status_code for answer in (*answers, stolen)] == [403] * 8
    assert "resume" in redirect_from(elsewhere)
    assert (first.status_code, second.status_code) == (200, 200)


async def test_forged_cookies_have_no_session(world: World, visitor: Visitor) -> None:
    """Changed, conflicting, renamed and oversized cookies give no access to the sign-in (LG-11, P3)."""
    cookie = next(iter(visitor.agent.http.cookies.jar))
    name, value = cookie.name, cookie.value or ""
    forged = [
        *("", f"{name}=", f"{name}={value[:-1]}", f"{name}={value}x", f"{name}={value.swapcase()}"),
        *(f"{name}={value}; {name}=x", f"{name}=x; {name}={value}", f"{name.upper()}={value}", f'{name}="{value}"'),
        *(f"__Host-{name}={value}", f"{name}={value}%20", f"{name}={'a' * 20_000}", f"{name}=\xe9", ";=;;"),
    ]
    answers = []
    for text in forged:
        bare = httpx.Request("GET", visitor.address, headers=[(b"Cookie", text.encode("latin-1"))])
        async with world.agent() as agent:
            answers.append(visitor.response_checks.check(await agent.http.send(bare), text))

    # This URL starts a sign-in in the other browser.
    others = [
        answer for answer in answers if not redirect_from(answer).startswith("/oauth/v2/authorize/resume?request=")
    ]
    assert {answer.status_code for answer in others} <= {400, 404}
    assert all('id="error-page"' in answer.text for answer in others)


async def test_session_handle_of_the_client_is_not_adopted(world: World) -> None:
    """A browser with an unknown handle gets a new one, which prevents session fixation (LG-11)."""
    async with world.agent() as agent:
        visitor = Visitor(world, agent)
        await visitor.arrive()
        name = next(iter(agent.http.cookies.jar)).name
    planted = "ab" + "E" * 43
    async with world.agent() as agent:
        answer = await agent.http.get(
            begin(world.metadata, world.clients["basic"]).url, headers={"Cookie": f"{name}={planted}"}
        )

    assert planted not in answer.headers["set-cookie"]


ELSEWHERE = (
    "//evil.test",
    "/\\evil.test",
    "/%09/evil.test",
    "https:evil.test",
    "\x01//evil.test",
    "javascript:alert(1)",
)
CONTINUATIONS = ("return", "return_to", "next", "continue", "continue_to", "redirect", "redirect_uri", "url", "state")
PAGES = ("/ui/login", "/ui/login/logged-out", "/oauth/v2/authorize/resume", "/oidc/v1/end_session")


async def test_parameters_cannot_change_the_redirect(visitor: Visitor) -> None:
    """The redirect target is stored on the server, and URL parameters neither change it nor are shown (AZ-10)."""
    request_id = visitor.address.rpartition("=")[2]
    added = [*((name, ELSEWHERE[0]) for name in CONTINUATIONS), *(("return_to", address) for address in ELSEWHERE)]
    for page in PAGES:
        for name, elsewhere in added:
            query = urlencode({"request": request_id, name: elsewhere})
            answer = await visitor.agent.http.get(f"{visitor.world.issuer}{page}?{query}")
            visitor.response_checks.check(answer, query)
            assert "evil.test" not in answer.text + answer.headers.get("location", ""), (page, query)


async def test_changed_request_id_is_unknown(visitor: Visitor) -> None:
    """A request id that is changed, shortened or extended finds no sign-in (JW-14)."""
    right = visitor.address.rpartition("=")[2]
    places = range(0, len(right), 5)
    changed = {right[:cut] for cut in places}
    changed |= {right[:at] + ("A" if right[at] != "A" else "B") + right[at + 1 :] for at in places}
    changed |= {f"{right}A", f"{right}=", f"{right}%20", f"{right}%0a", right.swapcase()}
    for page in ("/ui/login?request={}", "/oauth/v2/authorize/resume?request={}"):
        for id in changed:
            answer = await visitor.agent.http.get(f"{visitor.world.issuer}{page.format(id)}")
            visitor.response_checks.check(answer, id)
            assert answer.status_code in (400, 404), (page, id)


async def test_overlong_language_lists_use_the_default(visitor: Visitor) -> None:
    """Accept-Language and ui_locales of any length fall back to the default language (LG-23)."""
    metadata, client = visitor.world.metadata, visitor.world.clients["basic"]
    for languages in ("x" * 20_000, ",".join(["en"] * 5_000), "-" * 10_000, "*;q=" + "9" * 9_000):
        page = await visitor.agent.http.get(visitor.address, headers={"Accept-Language": languages})
        asked = await visitor.agent.http.get(begin(metadata, client, ui_locales=languages[:9_000]).url)

        assert visitor.response_checks.check(page, "Accept-Language").status_code == 200, languages[:9]
        assert visitor.response_checks.check(asked, "ui_locales").status_code == 303, languages[:9]


STEPS = (*BUTTONS, "reload", "resume", "replay", "password first")


async def _walk(world: World, steps: Sequence[str]) -> bool:
    async with world.agent() as agent:
        walker = Walker(world, agent)
        await walker.arrive()
        for step in steps:
            if await walker.take(step):
                return True
    return False


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.sampled_from(STEPS), min_size=2, max_size=8))
async def test_code_requires_name_and_password_in_any_order(world: World, steps: list[str]) -> None:
    """In any order of forms a code requires name and password; cancel gives access_denied, others a page (P3)."""
    await _walk(world, steps)


@pytest.mark.parametrize(
    ("steps", "back"),
    [
        (["password first", "name", "resume", "replay", "reload", "right"], True),
        (["name", "restart", "stranger", "right", "resume"], False),
    ],
    ids=["detours", "another name"],
)
async def test_detours_do_not_change_the_result(world: World, steps: list[str], back: bool) -> None:
    """The state is on the server: the right forms sign in after wrong ones, and a wrong name never does (P3)."""
    assert await _walk(world, steps) is back
