"""Pages of the login name and the password: rendered once for all sign-ins that differ in request, form and name only.

Rendering takes more than half of the time that these pages take. Everything else of a step is part of the cache's key,
so that another branding, problem or language is another page.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape
from msgspec.structs import replace
from portico_contracts.http import LOGIN
from portico_contracts.login import PageBranding, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode, encode
from portico_web.languages import Language
from portico_web.pages import environment
from starlette.responses import HTMLResponse, Response

from portico_login_ui.methods.method import PageContext
from portico_login_ui.request_context import address_of
from portico_login_ui.steps import render

_PREPARED: Final = frozenset({StepName.LOGIN_NAME, StepName.PASSWORD})
_MOST: Final = 128
"""Pages; each takes some 8 KB."""

# Random, so that no text of an organization or application can be one.
_REQUEST, _CSRF, _NAME, _WHO = (secrets.token_hex(16) for _ in range(4))
_MARK: Final = re.compile(f"({_REQUEST}|{_CSRF}|{_NAME}|{_WHO})")
_START: Final = address_of(LOGIN, "")


class _Page(NamedTuple):
    """`parts` are text and marks by turns."""

    parts: tuple[str, ...]
    headers: dict[str, str]


def render_step(page_context: PageContext[Any]) -> Response:
    step: Step = page_context.step
    if step.name not in _PREPARED:
        return render(page_context)
    marked = replace(step, csrf=_CSRF, login_name=_NAME if step.login_name else "", set_cookie="")
    page = _prepare(type(step), encode(marked), page_context.language, page_context.issuer)
    values = {
        _REQUEST: escape(page_context.action.removeprefix(_START)),
        _CSRF: escape(step.csrf),
        _NAME: escape(step.login_name),
    }
    if _WHO in page.parts:
        values[_WHO] = _address_macro()(step.login_name, step.look)
    return HTMLResponse("".join([values.get(part, part) for part in page.parts]), headers=page.headers)


@lru_cache(_MOST)
def _prepare(kind: type[Step], marked: bytes, language: Language, issuer: str) -> _Page:
    step = decode(marked, kind)
    context = PageContext(step, address_of(LOGIN, _REQUEST), language, issuer=issuer)
    rendered = render(context, who=_WHO if step.login_name else "")
    headers = {name: value for name, value in rendered.headers.items() if name != "content-length"}
    return _Page(tuple(_MARK.split(bytes(rendered.body).decode())), headers)


@cache
def _address_macro() -> Callable[[str, PageBranding], Markup]:
    """The macro of the templates, for a value that is filled in later."""
    module: Any = environment("portico_login_ui").get_template("_address.html").module
    macro: Callable[[str, PageBranding], Markup] = module.address
    return macro
