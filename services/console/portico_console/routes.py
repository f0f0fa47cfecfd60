from __future__ import annotations

from portico_contracts.http import BACK_CHANNEL_LOGOUT, CONSOLE_STATIC
from portico_oauth.errors import PATH_NOT_FOUND
from portico_web.acting_get import acting_get
from portico_web.headers import NO_STORE
from portico_web.languages import pick_language, read_languages
from portico_web.pages import page
from portico_web.static_file import serve_file
from portico_web.surfaces import html_page, oauth_json, render_errors
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from portico_console.account_app import ACCOUNT_PAGES
from portico_console.console_app import CONSOLE_PAGES
from portico_console.page_table import PageRow
from portico_console.pages import Pages
from portico_console.request_context import PACKAGE, RequestContext
from portico_console.static_files import FILES, PREVIEWS, preview_file, sample_file
from portico_console.theme import theme_cookie

_READ = ["GET", "HEAD"]


def console_routes(pages: Pages) -> list[Route]:
    return [*_relying_party_routes(pages), *_page_routes(pages, CONSOLE_PAGES)]


def account_routes(pages: Pages) -> list[Route]:
    return [*_relying_party_routes(pages), *_page_routes(pages, ACCOUNT_PAGES)]


def static_routes() -> list[Route]:
    by_name = {file.path.removeprefix(f"{CONSOLE_STATIC}/"): file for file in FILES}

    async def serve(request: Request) -> Response:
        file = by_name.get(request.path_params["name"])
        if file is None:
            raise PATH_NOT_FOUND.error()
        return serve_file(request, file)

    async def preview(request: Request) -> Response:
        file = preview_file(request.path_params["name"])
        if file is None:
            raise PATH_NOT_FOUND.error()
        return serve_file(request, file)

    async def sample(request: Request) -> Response:
        file = sample_file(request.path_params["theme"], request.path_params["name"])
        if file is None:
            raise PATH_NOT_FOUND.error()
        return serve_file(request, file)

    return [
        Route(f"{PREVIEWS}/{{name}}.css", render_errors(preview, html_page), methods=_READ),
        Route(f"{CONSOLE_STATIC}/{{name}}", render_errors(serve, html_page), methods=_READ),
        Route(f"{PREVIEWS}/{{theme}}/{{name}}.css", render_errors(sample, html_page), methods=_READ),
    ]


def _page_routes(pages: Pages, rows: tuple[PageRow, ...]) -> list[Route]:
    party = pages.sign_in.party
    found: list[Route] = []
    for row in rows:
        path = f"{party.path}{row.path}"
        found += [Route(path, pages.endpoint(row.show), methods=_READ)] if row.show else []
        found += [pages.form(path, row.submit)] if row.submit else []
    return found


def _relying_party_routes(pages: Pages) -> list[Route]:
    sign_in = pages.sign_in
    path = sign_in.party.path

    async def sign_out(ctx: RequestContext) -> Response:
        await ctx.read_form()
        return await sign_in.sign_out(ctx.request, ctx.session)

    async def choose_theme(ctx: RequestContext) -> Response:
        form = await ctx.read_form()
        back = form.get("back", "")
        response = ctx.see(back if sign_in.party.owns(back) else path)
        response.headers.append("Set-Cookie", theme_cookie(form.get("theme", ""), sign_in.party.origin))
        return response

    async def choose_language(ctx: RequestContext) -> Response:
        form = await ctx.read_form()
        back = form.get("back", "")
        response = ctx.see(back if sign_in.party.owns(back) else path)
        response.headers.append("Set-Cookie", ctx.language_cookie(form.get("language", "")))
        return response

    async def signed_out(request: Request) -> Response:
        return page(
            "signed_out.html",
            package=PACKAGE,
            language=pick_language(read_languages(request)),
            again=path,
            changed=request.query_params.get("password") == "changed",
            deleted=request.query_params.get("account") == "deleted",
        )

    async def without_slash(request: Request) -> Response:
        query = request.url.query
        return RedirectResponse(f"{path}?{query}" if query else path, status_code=308, headers=NO_STORE)

    return [
        Route(f"{path}/", pages.outside(without_slash), methods=_READ),
        Route(f"{path}/callback", acting_get(pages.outside(sign_in.complete)), methods=["GET"]),
        Route(f"{path}{BACK_CHANNEL_LOGOUT}", render_errors(sign_in.end_session, oauth_json), methods=["POST"]),
        Route(f"{path}/sign-out", pages.endpoint(sign_out), methods=["POST"]),
        Route(f"{path}/theme", pages.endpoint(choose_theme), methods=["POST"]),
        Route(f"{path}/language", pages.endpoint(choose_language), methods=["POST"]),
        Route(f"{path}/signed-out", pages.outside(signed_out), methods=_READ),
    ]
