"""The page for people and the API for programs.

=======================  ===========================================================
``/``                    a page: the newest mails
``/mails/ID``            a page: one mail
``GET /api/mails``       ``{"mails": […]}``, the newest first; ``?to=`` part of an address, ``?limit=`` up to 500
``GET /api/mails/ID``    one mail with ``text`` and ``html``; ``/source`` as it came
``DELETE /api/mails``    throws all away; ``/ID`` one
=======================  ===========================================================

A mail is a stranger's: its HTML is shown in a frame without scripts, forms, addresses of others and an origin. And a
page of a stranger must not read it: whoever asks under another name than this machine's (DNS rebinding) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from portico_stack.mail_catcher.shelf import Shelf

_MOST: Final = 500
_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_MAIL_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LINK: Final = re.compile(r"(https?://[^\s<>\"]+)")
_TEMPLATES: Final = Environment(
    loader=PackageLoader("portico_stack.mail_catcher"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)

Answer = Callable[[Shelf, Request], Awaitable[Response]]


def create_app(shelf: Shelf) -> Starlette:
    """The pages and the API of a shelf."""
    answers: list[tuple[str, str, Answer]] = [
        ("GET", "/", _list_page),
        ("POST", "/clear", _clear_page),
        ("GET", "/style.css", _style),
        ("GET", "/mails/{id}", _mail_page),
        ("GET", "/mails/{id}/html", _mail_html),
        ("GET", "/api/mails", _list),
        ("DELETE", "/api/mails", _clear),
        ("GET", "/api/mails/{id}", _mail),
        ("GET", "/api/mails/{id}/source", _source),
        ("DELETE", "/api/mails/{id}", _remove),
    ]
    routes = [Route(path, partial(answer, shelf), methods=[verb]) for verb, path, answer in answers]
    own_names = Middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"], www_redirect=False)
    return Starlette(routes=routes, middleware=[own_names])


async def _list_page(shelf: Shelf, request: Request) -> Response:
    to = request.query_params.get("to", "")
    return _page("list.html", mails=await run_in_threadpool(shelf.headings, to=to), to=to)


async def _clear_page(shelf: Shelf, request: Request) -> Response:
    # Only our own page may: a browser sends the origin of a form.
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return _not_found()
    await run_in_threadpool(shelf.clear)
    return RedirectResponse("/", status_code=303, headers=_HEADERS)


async def _style(_shelf: Shelf, _request: Request) -> Response:
    return Response(_TEMPLATES.get_template("style.css").render(), headers=_HEADERS, media_type="text/css")


async def _mail_page(shelf: Shelf, request: Request) -> Response:
    mail = await run_in_threadpool(shelf.find, request.path_params["id"])
    # Every second piece is an address.
    return _page("mail.html", mail=mail, pieces=_LINK.split(mail.text)) if mail else _not_found()


async def _mail_html(shelf: Shelf, request: Request) -> Response:
    mail = await run_in_threadpool(shelf.find, request.path_params["id"])
    if mail is None:
        return _not_found()
    return HTMLResponse(mail.html, headers=_HEADERS | {"Content-Security-Policy": _MAIL_POLICY})


async def _list(shelf: Shelf, request: Request) -> Response:
    asked = request.query_params.get("limit", "100")
    limit = min(int(asked), _MOST) if asked.isascii() and asked.isdecimal() and len(asked) < 7 else 100
    mails = await run_in_threadpool(shelf.headings, to=request.query_params.get("to", ""), limit=limit)
    return _json({"mails": [mail._asdict() for mail in mails]})


async def _mail(shelf: Shelf, request: Request) -> Response:
    mail = await run_in_threadpool(shelf.find, request.path_params["id"])
    return _json({**mail.heading._asdict(), "text": mail.text, "html": mail.html}) if mail else _not_found()


async def _source(shelf: Shelf, request: Request) -> Response:
    source = await run_in_threadpool(shelf.find_source, request.path_params["id"])
    # Never as something a browser shows.
    name = {"Content-Disposition": "attachment; filename=mail.eml"}
    return Response(source, headers=_HEADERS | name, media_type="message/rfc822") if source else _not_found()


async def _remove(shelf: Shelf, request: Request) -> Response:
    removed = await run_in_threadpool(shelf.remove, request.path_params["id"])
    return Response(status_code=204, headers=_HEADERS) if removed else _not_found()


async def _clear(shelf: Shelf, _request: Request) -> Response:
    await run_in_threadpool(shelf.clear)
    return Response(status_code=204, headers=_HEADERS)


def _page(template: str, **values: Any) -> Response:
    text = _TEMPLATES.get_template(template).render(**values)
    return HTMLResponse(text, headers=_HEADERS | {"Content-Security-Policy": _PAGE_POLICY})


def _json(value: Any) -> Response:
    return JSONResponse(value, headers=_HEADERS)


def _not_found() -> Response:
    return JSONResponse({"error": "There is no such mail."}, status_code=404, headers=_HEADERS)
