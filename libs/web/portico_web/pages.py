"""HTML from autoescaped templates; `login-ui` adds its own templates to the shared ones."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from portico_web.headers import page_headers
from portico_web.stylesheet import stylesheet

FORM_POST_SCRIPT: Final = "document.forms[0].submit()"
_SCRIPT_HASH: Final = "sha256-" + base64.b64encode(hashlib.sha256(FORM_POST_SCRIPT.encode()).digest()).decode()


@cache
def environment(package: str = "portico_web") -> Environment:
    """The template environment of a package, with the shared templates behind its own."""
    loaders = (
        [PackageLoader(package), PackageLoader("portico_web")] if package != "portico_web" else [PackageLoader(package)]
    )
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # templates change with a release; looking at their files costs more than rendering
    )
    made.globals["stylesheet"] = stylesheet().address
    return made


def page(
    template: str, *, package: str = "portico_web", status: int = 200, return_uri: str = "", **context: Any
) -> HTMLResponse:
    """Renders a page with its headers.

    Args:
        return_uri: see `page_headers`.
        context: the template's variables; a missing one is an error.
    """
    text = environment(package).get_template(template).render(**context)
    return HTMLResponse(text, status_code=status, headers=page_headers(return_uri=return_uri))


def form_post_page(action: str, fields: dict[str, str]) -> HTMLResponse:
    """The page that posts itself to the relying party (OAuth 2.0 Form Post Response Mode)."""
    text = environment().get_template("form_post.html").render(action=action, fields=fields, script=FORM_POST_SCRIPT)
    return HTMLResponse(text, headers=page_headers(return_uri=action, script_hash=_SCRIPT_HASH))
