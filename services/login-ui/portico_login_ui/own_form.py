"""Accepts forms only from our own pages, by origin and by the page's CSRF token (LG-14)."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_web.forms import read_form
from portico_web.same_origin import refuse_foreign_form
from starlette.requests import Request

NO_CSRF = ErrorCode(
    "LOGIN-103",
    Kind.PERMISSION_DENIED,
    "The form did not come from this page.",
    "Open the page again and use its form.",
)
_MAX_CSRF: Final = 512


async def read_own_form(request: Request, issuer: str) -> Parameters:
    """Returns form and query together, each field once; raises WEB-003 for another site's form."""
    refuse_foreign_form(request, issuer)
    form = await read_form(request, with_query=True)
    form.refuse_repeats()
    return form


def csrf_in(form: Parameters) -> str:
    """Returns the CSRF token of the form, which authz verifies."""
    csrf = form.get("csrf", "")
    if not csrf or len(csrf) > _MAX_CSRF:
        raise NO_CSRF.error()
    return csrf
