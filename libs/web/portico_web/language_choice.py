"""The language that a person chose at the foot of a page. This browser keeps it, for the sign-in pages and the others.

The cookie has no name of the issuer: it selects among translations, and one for a host is enough.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.languages import TAGS
from portico_oauth.errors import INVALID_INPUT
from starlette.requests import Request

from portico_web.cookies import ONE_YEAR, read_handle, set_cookie
from portico_web.headers import find_header

_COOKIE: Final = "portico-language"
_SECURE_COOKIE: Final = f"__Host-{_COOKIE}"


class LanguageSwitch(NamedTuple):
    """The form at the foot of a page: where it is sent to, the page that follows, and the token of a session."""

    action: str
    back: str
    csrf: str = ""


def kept_language(request: Request) -> tuple[str, ...]:
    tag, _ = _read(request)
    return (tag,) if tag else ()


def language_chosen_in(request: Request, request_id: str) -> tuple[str, ...]:
    """Returns the language only if it was chosen in this very sign-in or sign-out.

    There it outranks `ui_locales`, which outranks a choice of an earlier one (decision 0134).
    """
    tag, chosen_in = _read(request)
    return (tag,) if tag and chosen_in == request_id else ()


def language_cookie(tag: str, *, secure: bool, request_id: str = "") -> str:
    """Returns the Set-Cookie value that keeps a choice, or without a tag removes it. Raises PORT-005 if unknown."""
    name = _SECURE_COOKIE if secure else _COOKIE
    if not tag:
        return set_cookie(name, "", secure=secure, max_age=0)
    if tag not in TAGS:
        raise INVALID_INPUT.error(language=tag[:20])
    return set_cookie(name, f"{tag}.{request_id}" if request_id else tag, secure=secure, max_age=ONE_YEAR)


def _read(request: Request) -> tuple[str, str]:
    header = find_header(request, b"cookie")
    tag, _, request_id = (read_handle(header, _SECURE_COOKIE) or read_handle(header, _COOKIE)).partition(".")
    return (tag, request_id) if tag in TAGS else ("", "")
