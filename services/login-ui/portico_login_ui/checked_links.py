"""Emailed links that were used, have expired or are wrong: the page states so when it is opened."""

from __future__ import annotations

from portico_contracts.http import ACCOUNT, FORGOT_PASSWORD_PAGE
from portico_contracts.login import PageBranding
from portico_contracts.login_calls import LOOK_AT_LINK
from portico_contracts.users import CheckLink
from portico_oauth.errors import ServiceError
from portico_web.acting_get import is_ahead
from portico_web.pages import PLAIN
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.authz_client import AuthzClient
from portico_login_ui.flow import own_page


async def is_usable(authz: AuthzClient, request: Request, link: CheckLink) -> bool:
    """A request that may have no effect asks nothing: a wrong code counts as a guess (decision 0117)."""
    if request.method == "HEAD" or is_ahead(request):
        return True
    try:
        return (await authz.call(LOOK_AT_LINK, link)).usable
    except ServiceError:  # the form has the reason
        return True


def ended_page(request: Request, kind: str, look: PageBranding = PLAIN, *, may_reset: bool = True) -> Response:
    """`kind` is email, password, invitation or passkey; `may_reset`: users can request another link for a password."""
    links = {"forgot": FORGOT_PASSWORD_PAGE, "account": ACCOUNT}
    return own_page("link_ended.html", request, kind=kind, look=look, may_reset=may_reset, **links)
