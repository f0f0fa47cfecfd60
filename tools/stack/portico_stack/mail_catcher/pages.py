"""The page and the API.

=======================  ===========================================================
``/``                    a page: the newest emails
``/mails/ID``            a page: one email
``GET /api/mails``       ``{"mails": […]}``, newest first; ``?to=`` part of an address, ``?limit=`` up to 500
``GET /api/mails/ID``    one email with ``text`` and ``html``; ``/source`` unmodified
``DELETE /api/mails``    deletes all; ``/ID`` one
=======================  ===========================================================

An email is untrusted: its HTML is shown in a frame without scripts, forms, foreign URLs and an origin.
Requests with another host name than this machine's (DNS rebinding) are rejected, so that a foreign page
cannot read it.
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

from portico_stack.mail_catcher.message_store import MessageStore

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
# Punctuation after a URL belongs to its sentence.
_LINK: Final = re.compile(r"(https?://[^\s<>\"]*[^\s<>\".,;:)])")
_TEMPLATES: Final = Environment(
    loader=PackageLoader("portico_stack.mail_catcher"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)

Answer = Callable[[MessageStore, Request], Awaitable[Response]]


def create_app(message_store: MessageStore) -> Starlette:
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
    routes = [Route(path, partial(answer, message_store), methods=[verb]) for verb, path, answer in answers]
    own_names = Middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"], www_redirect=False)
    return Starlette(routes=routes, middleware=[own_names])


async def _list_page(message_store: MessageStore, request: Request) -> Response:
    to = request.query_params.get("to", "")
    return _page("list.html", mails=await run_in_threadpool(message_store.summaries, to=to), to=to)


async def _clear_page(message_store: MessageStore, request: Request) -> Response:
    # Only our own page: a browser sends the origin of a form.
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return _not_found()
    await run_in_threadpool(message_store.clear)
    return RedirectResponse("/", status_code=303, headers=_HEADERS)


async def _style(_messages: MessageStore, _request: Request) -> Response:
    return Response(_TEMPLATES.get_template("style.css").render(), headers=_HEADERS, media_type="text/css")


async def _mail_page(message_store: MessageStore, request: Request) -> Response:
    mail = await run_in_threadpool(message_store.find, request.path_params["id"])
    # Every second piece is a URL.
    return _page("mail.html", mail=mail, pieces=_LINK.split(mail.text)) if mail else _not_found()


async def _mail_html(message_store: MessageStore, request: Request) -> Response:
    mail = await run_in_threadpool(message_store.find, request.path_params["id"])
    if mail is None:
        return _not_found()
    return HTMLResponse(mail.html, headers=_HEADERS | {"Content-Security-Policy": _MAIL_POLICY})


async def _list(message_store: MessageStore, request: Request) -> Response:
    asked = request.query_params.get("limit", "100")
    limit = min(int(asked), _MOST) if asked.isascii() and asked.isdecimal() and len(asked) < 7 else 100
    mails = await run_in_threadpool(message_store.summaries, to=request.query_params.get("to", ""), limit=limit)
    return _json({"mails": [mail._asdict() for mail in mails]})


async def _mail(message_store: MessageStore, request: Request) -> Response:
    mail = await run_in_threadpool(message_store.find, request.path_params["id"])
    return _json({**mail.summary._asdict(), "text": mail.text, "html": mail.html}) if mail else _not_found()


async def _source(message_store: MessageStore, request: Request) -> Response:
    source = await run_in_threadpool(message_store.find_source, request.path_params["id"])
    # Never rendered by a browser.
    name = {"Content-Disposition": "attachment; filename=mail.eml"}
    return Response(source, headers=_HEADERS | name, media_type="message/rfc822") if source else _not_found()


async def _remove(message_store: MessageStore, request: Request) -> Response:
    removed = await run_in_threadpool(message_store.remove, request.path_params["id"])
    return Response(status_code=204, headers=_HEADERS) if removed else _not_found()


async def _clear(message_store: MessageStore, _request: Request) -> Response:
    await run_in_threadpool(message_store.clear)
    return Response(status_code=204, headers=_HEADERS)


def _page(template: str, **values: Any) -> Response:
    text = _TEMPLATES.get_template(template).render(**values)
    return HTMLResponse(text, headers=_HEADERS | {"Content-Security-Policy": _PAGE_POLICY})


def _json(value: Any) -> Response:
    return JSONResponse(value, headers=_HEADERS)


def _not_found() -> Response:
    return JSONResponse({"error": "Email not found."}, status_code=404, headers=_HEADERS)
