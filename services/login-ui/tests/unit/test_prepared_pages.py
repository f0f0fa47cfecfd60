from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.login import PageBranding, Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Branding
from portico_fakes.login_messages import step_of
from portico_login_ui.methods.method import PageContext
from portico_login_ui.prepared_pages import render_step
from portico_login_ui.request_context import address_of
from portico_login_ui.steps import render
from portico_oauth.opaque import fingerprint
from portico_web.languages import LANGUAGES, Language
from starlette.responses import Response

HIDING = PageBranding(client_name="<i>", branding=Branding(hide_login_name_suffix=True))
NAMES = ("", "ada", "ada@mail@example.test", "<b a='\"&{{ 1 }}@x>", "ada")


def page_of(name: StepName, number: int, language: Language) -> PageContext[Any]:
    """No two pages of a test have the same request, form and login name."""
    step = step_of(
        name,
        csrf=fingerprint(f"form {number}"),
        client_name="A & B",
        login_name=NAMES[number % len(NAMES)],
        problem=Problem.WRONG_CREDENTIALS if number % 2 else Problem.NONE,
        may_reset=number % 3 == 0,
        may_use_passkey=number % 4 == 0,
        look=HIDING if number % 7 == 0 else PageBranding(),
        set_cookie="x=y",
    )
    action = address_of("/ui/login", fingerprint(f"request {number}"))
    return PageContext(step, action, language, issuer="https://id.example.test")


def content_of(response: Response) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    return bytes(response.body), sorted(response.raw_headers)


@pytest.mark.parametrize("name", [StepName.LOGIN_NAME, StepName.PASSWORD, StepName.TOTP])
def test_prepared_page_is_the_rendered_one(name: StepName) -> None:
    """Whatever was rendered before: the request, the form and the name are those of the step, and escaped."""
    for number in range(60):
        page = page_of(name, number, LANGUAGES[number % 2])

        assert content_of(render_step(page)) == content_of(render(page))
