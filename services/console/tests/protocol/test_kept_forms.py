"""Every form that can require a fresh proof is carried out after it, once, or its page states that it was not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import httpx
import pytest
from portico_console.account_app import ACCOUNT_PAGES
from portico_console.console_app import CONSOLE_PAGES
from portico_console.console_app.provider_wizard.presets import PRESETS
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.console_app.screens.table import SCREENS
from portico_console.forms.row_buttons import ADD_ROW, DROP_ROW
from portico_contracts.management import METHODS
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, Answer, ConsoleService, answering, refusal
from portico_fakes.filled_answers import answering_all, filled_answer
from portico_harness.html_forms import Document, Form
from portico_harness.rows import row

TEXT = "1"
"""Of every id and name, so that what confirms a deletion is right; a number too."""
CANARY = "canary-of-a-secret"
RECENT = {method.path.removeprefix("/") for method in METHODS.values() if method.permission.recent_sign_in}
TOO_OLD = refusal("permission_denied", 403, "USER-731", "Sign in again.")
STARTED = answering({"authUrl": "https://provider.example", "testId": TEXT, "token": TEXT})
HIDDEN = ("password", "file")
NOT_WALKED = ("{action}", "{service}", "export", "download")
"""Addresses of several pages, and files, which never end with these answers."""
NOT_SENT = ("/theme", "/language", "/sign-out")


class Page(NamedTuple):
    """`needs`: sending its form needs a fresh proof."""

    path: str
    needs: bool = False


def address(path: str) -> str:
    """An address with an id in each of its parts."""
    return re.sub(r"\{\w+\}", TEXT, path)


def of_screens() -> Iterator[Page]:
    by_hand = {one.path for one in CONSOLE_PAGES if "{action}" not in one.path}
    for screen in SCREENS:
        for base, action, is_made in actions_of(screen):
            path = f"{base}/do/{action.word}"
            if path not in by_hand and (is_made or screen.getting is not None):
                yield Page(f"/ui/console{address(path)}", action.method in RECENT)


def actions_of(screen: Screen) -> Iterator[tuple[str, Action, bool]]:
    if screen.listing is not None:
        yield from ((screen.path, one, True) for one in screen.create if not one.at)
    yield from ((screen.object_path, one, False) for one in screen.actions if one.only or one.danger.value != "press")


def by_hand() -> Iterator[Page]:
    for root, rows in (("/ui/console", CONSOLE_PAGES), ("/ui/account", ACCOUNT_PAGES)):
        for one in rows:
            if one.show is not None and not any(word in one.path for word in NOT_WALKED):
                yield Page(root + address(one.path))
    for preset in PRESETS:
        yield Page(f"/ui/console/orgs/{TEXT}/providers/new?preset={preset.word}&id={'a' * 26}", needs=True)


PAGES = [*of_screens(), *by_hand()]


OTHERS: Final = frozenset({"find", ADD_ROW, DROP_ROW})
"""Buttons that only change the form."""


class Walk:
    """One user whose sign-in is as old as users of the management API sees it, by the token."""

    def __init__(self, console: ConsoleService, clock: FrozenClock) -> None:
        self.console, self.clock = console, clock
        self.changes: list[tuple[str, dict[str, Any]]] = []
        self.began: list[float] = []
        answering_all(console, TEXT)
        for method in METHODS.values():
            name = method.path.removeprefix("/")
            if name in RECENT or name not in console.provider.answers:
                is_test = name.endswith("/StartProviderTest")
                done = STARTED if is_test else filled_answer(method.response.DESCRIPTOR, TEXT)
                console.provider.answers[name] = self._answer(name, done)

    def _answer(self, name: str, done: Answer) -> Answer:
        def answer(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
            if name in RECENT and self.clock.now() - self.began[-1] > 300:
                return TOO_OLD(fields, request)
            self.changes.append((name, fields))
            return done(fields, request)

        return answer

    async def sign_in(self, browser: httpx.AsyncClient, location: str) -> httpx.Response:
        self.began.append(self.clock.now())
        back = await browser.get(self.console.provider.authorize(location))
        return await browser.get(back.headers["location"])

    async def open(self, browser: httpx.AsyncClient, path: str) -> httpx.Response:
        page = await browser.get(path)
        for _ in range(4):
            if page.status_code == 303:
                there = page.headers["location"]
                page = await (self.sign_in(browser, there) if "/authorize?" in there else browser.get(there))
        return page


def filled(form: Form, *, with_secrets: bool) -> dict[str, str] | None:
    """Every box is ticked, and what is empty has a value; None where there is no secret to leave out."""
    found: dict[str, str] = {}
    hides = False
    for one in form.fields:
        if one.kind in ("submit", "button") or not one.name:
            continue
        if one.kind in HIDDEN or one.name.endswith("privateKey"):
            hides = True
            found |= {one.name: CANARY} if with_secrets else {}
        elif one.kind != "radio" or one.chosen or one.name not in found:
            plain = "2027-01-01T10:00" if one.kind == "datetime-local" else TEXT
            found[one.name] = one.value or next(filter(None, one.options), plain)
    first = next((one for one in form.fields if one.kind == "submit" and one.name and one.name not in OTHERS), None)
    found |= {first.name: first.value} if first else {}
    return found if hides or not with_secrets else None


async def send_late(walk: Walk, browser: httpx.AsyncClient, action: str, fields: dict[str, str]) -> httpx.Response:
    walk.changes.clear()
    walk.clock.tick(301)
    return await browser.post(action, data=fields, headers={"Origin": ISSUER})


async def outcome(walk: Walk, browser: httpx.AsyncClient, asked: httpx.Response) -> str:
    """What follows the proof: ``done``, once; ``unsaved``, or ``asked`` whom it affects, with what was sent on the page."""
    assert walk.changes == []
    assert "max_age=0" in asked.headers["location"]
    answer = await walk.sign_in(browser, asked.headers["location"])
    changed = [*walk.changes]
    again = await browser.get(str(answer.request.url))
    assert walk.changes == changed, "a reload does nothing"
    assert again.status_code != 500
    for _ in range(3):
        if answer.status_code == 303:
            assert "/authorize?" not in answer.headers["location"]
            answer = await browser.get(answer.headers["location"])
    if changed:
        assert 'id="unsaved"' not in answer.text
        return "done"
    if 'id="affected"' in answer.text:
        return "asked"
    assert 'id="unsaved"' in answer.text, answer.text
    assert " autofocus" in answer.text
    return "unsaved"


async def outcomes_of(walk: Walk, browser: httpx.AsyncClient, page: Page, *, with_secrets: bool) -> list[str]:
    """Sends each form of a page too late; a page that changes something when it is opened, as a new key, is left out."""
    walk.changes.clear()
    shown = now = Document((await walk.open(browser, page.path)).text)
    found: list[str] = []
    for form in shown.forms if not walk.changes else ():
        fields = filled(form, with_secrets=with_secrets)
        if form.method != "post" or form.action.endswith(NOT_SENT) or fields is None:
            continue
        if found:  # the session changed with the proof
            now = Document((await walk.open(browser, page.path)).text)
        csrf = next(one.value for other in now.forms for one in other.fields if one.name == "csrf")
        asked = await send_late(walk, browser, form.action or page.path, fields | {"csrf": csrf})
        if "/authorize?" in asked.headers.get("location", ""):
            assert CANARY not in walk.console.sessions.everything()
            found.append(await outcome(walk, browser, asked))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("with_secrets", [False, True])
async def test_every_form_is_carried_out_after_a_fresh_proof(
    console: ConsoleService, clock: FrozenClock, *, with_secrets: bool
) -> None:
    """Of each page, each form; a secret is not kept, and the page states that nothing was saved."""
    walk = Walk(console, clock)
    counted: list[str] = []
    for page in PAGES:
        async with console.browser() as browser:
            with row(page.path):
                found = await outcomes_of(walk, browser, page, with_secrets=with_secrets)
                assert found or not page.needs or with_secrets, "the form needs no fresh proof"
                assert set(found) <= ({"unsaved"} if with_secrets else {"done", "asked"})
                counted += found

    assert len(counted) > (10 if with_secrets else 80)
