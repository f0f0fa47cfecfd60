"""A sample of the sign-in page in one theme, of the templates and stylesheets that serve the real one."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from portico_contracts.login import PageBranding
from portico_contracts.users import Branding, OwnTexts
from portico_oauth.errors import PATH_NOT_FOUND
from portico_web.catalogue import load_catalogue
from portico_web.headers import NO_STORE, page_headers
from portico_web.language_choice import LanguageSwitch
from portico_web.pages import environment
from starlette.responses import HTMLResponse, JSONResponse, Response

from portico_console.console_app.branding.label import BY_KEY, problems_of, stylesheet_of, values_of
from portico_console.request_context import PACKAGE, RequestContext
from portico_console.static_files import PREVIEWS, SIGN_IN_PAGES, sample_file

_SERVICE: Final = "portico.{}.v1.PolicyService"


def service_of(ctx: RequestContext) -> str:
    return _SERVICE.format("management" if ctx.path.get("org") else "admin")


async def policy_of(ctx: RequestContext, kind: str) -> Any:
    return (await ctx.api.call(f"{service_of(ctx)}/Get{kind}Policy", {}, org=ctx.path.get("org", "")))["policy"]


async def show_sample(ctx: RequestContext) -> Response:
    """The colours are those of the query; texts, links, logos and providers are the stored ones."""
    theme = BY_KEY.get(ctx.path["theme"])
    if theme is None:
        raise PATH_NOT_FOUND.error()
    values = values_of(ctx.request.query_params)
    async with asyncio.TaskGroup() as group:
        label, texts, links, rules = [
            group.create_task(policy_of(ctx, kind)) for kind in ("Label", "Text", "Privacy", "Login")
        ]
    found = label.result()
    logo = found.get(theme.logo_url, "") or found.get("logoUrl", "")
    branding = Branding(
        **{name: links.result().get(field, "") for name, field in _LINKS.items()},
        hide_watermark=values["disableWatermark"],
        logo=f"{ctx.issuer}{logo}" if logo else "",
        texts=tuple(_texts(one) for one in texts.result().get("texts", ())),
    )
    content = environment(PACKAGE, ctx.language).get_template("console/branding/sample.html").render(
        look=PageBranding(branding=branding),
        language_switch=LanguageSwitch("", ""),
        texts=branding.texts_in(ctx.language.tag),
        stylesheet=_address(theme.key, SIGN_IN_PAGES),
        branded_stylesheet=_address(theme.key, stylesheet_of(values)),
        rules=rules.result(),
        login_name=ctx.session.email or ctx.session.name,
    )  # fmt: skip
    headers = page_headers(framed=True, image_uri=ctx.issuer) | {"Content-Language": ctx.language.tag}
    return HTMLResponse(content, headers=headers)


async def check_colours(ctx: RequestContext) -> Response:
    """Returns the problems of colours while they are typed, and the stylesheets of the samples."""
    values = values_of(ctx.request.query_params)
    words = load_catalogue(PACKAGE, ctx.language.tag)
    problems = {name: words.gettext(one.text) % {"ratio": one.ratio} for name, one in problems_of(values).items()}
    sheets = {theme: _address(theme, stylesheet_of(values)) for theme in BY_KEY}
    return JSONResponse({"problems": problems, "stylesheets": sheets}, headers=NO_STORE)


_LINKS: Final = {
    "tos_link": "tosLink",
    "privacy_link": "privacyLink",
    "help_link": "helpLink",
    "support_email": "supportEmail",
}


def _address(theme: str, name: str) -> str:
    file = sample_file(theme, name)
    return file.address if file else f"{PREVIEWS}/{theme}/{SIGN_IN_PAGES}.css"


def _texts(one: Any) -> OwnTexts:
    return OwnTexts(
        language=str(one["language"]),
        sign_in_title=str(one.get("signInTitle", "")),
        sign_in_text=str(one.get("signInText", "")),
    )
