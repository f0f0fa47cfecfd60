"""The console's sample of the sign-in page has the same elements as the page of login-ui."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from portico_contracts.login import PageBranding, Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import Branding, OfferedProvider, OwnTexts, ProviderKind
from portico_fakes.login_messages import step_of
from portico_web.language_choice import LanguageSwitch
from portico_web.pages import environment

LOOK = PageBranding(
    branding=Branding(tos_link="https://acme.example/terms", help_link="https://acme.example/help", logo="/logo.png")
)
TEXTS = OwnTexts(language="en", sign_in_title="Welcome", sign_in_text="With your work account.")


class _Elements(HTMLParser):
    """The elements of a page with what styles them, and its texts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if values.get("type") != "hidden":
            self.found.append((tag, values.get("id", ""), values.get("class", "")))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append((" ".join(data.split()),))


def elements(package: str, template: str, **context: Any) -> list[tuple[str, ...]]:
    page = environment(package).get_template(template).render(
        look=LOOK, texts=TEXTS, branded_stylesheet="/branded.css", language_switch=LanguageSwitch("", ""), **context
    )  # fmt: skip
    parser = _Elements()
    parser.feed(page)
    return parser.found


def test_sample_has_the_elements_of_the_sign_in_page() -> None:
    """Both have the same elements, ids, classes and words in the same order."""
    step = step_of(
        StepName.LOGIN_NAME,
        client_name="Example application",
        login_name="ada",
        problem=Problem.WRONG_CREDENTIALS,
        may_register=True,
        may_use_passkey=True,
        providers=(OfferedProvider("i1", "Google", ProviderKind.CODE),),
        look=LOOK,
    )
    rules = {
        "allowRegister": True,
        "allowExternalIdp": True,
        "multiFactors": ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
        "idps": [{"idpId": "i1", "idpName": "Google"}],
    }
    real = elements("portico_login_ui", "login_name.html", step=step, action="/ui/login", offer="", script="")
    sample = elements("portico_console", "console/branding/sample.html", rules=rules, login_name="ada", stylesheet="")
    title = ("title", "", "")

    assert real[real.index(title) + 2 :] == sample[sample.index(title) + 2 :]
