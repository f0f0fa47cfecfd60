from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from portico_oauth.redirect_uris import MAX_LENGTH, is_loopback, may_register, needs_plain_schemes
from portico_web.catalogue import load_catalogue
from starlette.responses import JSONResponse, Response

from portico_console.request_context import PACKAGE, RequestContext


class Advice(NamedTuple):
    good: bool
    text: str


GOOD: Final = "This URI can be used."
LOCAL: Final = "For development only: this URI points to the user's own computer."
PRIVATE: Final = "The app must register this scheme on the device, and other apps can register it too."
NO_SCHEME: Final = "Enter the complete URI, starting with https://."
STAR: Final = "Wildcards are not supported. Register each URI."
FRAGMENT: Final = "Enter the URI without the fragment (#)."
CREDENTIALS: Final = "Enter the URI without a user name."
HTTP: Final = "Use https. With http, others can read the code in transit. Only localhost can use http."
TOO_LONG: Final = "The URI is too long."
PLAIN: Final = (
    "This scheme has no dot, so that other apps can register it more easily. It can be used only if the type of the "
    "application is native, and the setting Private-use schemes without a dot is on."
)
BAD: Final = "Browsers cannot be redirected to this URI."

SENTENCES: Final = (
    GOOD, LOCAL, PRIVATE, NO_SCHEME, STAR, FRAGMENT, CREDENTIALS, HTTP, TOO_LONG, PLAIN, BAD,
)  # fmt: skip


def advise(uri: str) -> Advice:
    """Checks one URI by the registration rules (AZ-01, AZ-06); a wildcard would match nothing."""
    if may_register(uri) and "*" not in uri:
        parts = urlsplit(uri)
        if parts.scheme not in ("http", "https"):
            return Advice(good=True, text=PRIVATE)
        return Advice(good=True, text=LOCAL if is_loopback(parts.hostname) else GOOD)
    return Advice(good=False, text=_reason(uri))


def _reason(uri: str) -> str:
    parts = _split(uri)
    reasons = (
        (len(uri) > MAX_LENGTH, TOO_LONG),
        ("*" in uri, STAR),
        ("#" in uri, FRAGMENT),
        (needs_plain_schemes(uri), PLAIN),
        ("://" not in uri, NO_SCHEME),
        (parts is not None and "@" in parts.netloc, CREDENTIALS),
        (parts is not None and parts.scheme == "http" and bool(parts.netloc), HTTP),
    )
    return next((text for applies, text in reasons if applies), BAD)


def _split(uri: str) -> SplitResult | None:
    try:
        return urlsplit(uri)
    except ValueError:
        return None


async def judge_redirect(ctx: RequestContext) -> Response:
    """Returns the advice on ``?uri=``, for the script of the form."""
    advice = advise(ctx.request.query_params.get("uri", "")[: MAX_LENGTH + 1])
    text = load_catalogue(PACKAGE, ctx.language.tag).gettext(advice.text)
    return JSONResponse({"good": advice.good, "text": text}, headers={"Cache-Control": "no-store"})
