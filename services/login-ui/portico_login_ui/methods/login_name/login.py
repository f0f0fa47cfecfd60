"""The page of the login name. It does not reveal whether an account has that name (LG-01)."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.http import LOGIN, PASSKEY_OPTIONS
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from portico_web.key_script import key_script
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page
from portico_login_ui.methods.webauthn.credential import read_credential
from portico_login_ui.scripts import loads


class LoginName:
    """The first page of a sign-in."""

    step = StepName.LOGIN_NAME

    def show(self, page_context: PageContext) -> Response:
        """The page, with the name filled in that the application hinted at."""
        if not page_context.step.may_use_passkey:
            return step_page("login_name.html", page_context, offer="")
        offer, uri = page_context.action.replace(LOGIN, PASSKEY_OPTIONS, 1), page_context.issuer + PASSKEY_OPTIONS
        return step_page(
            "login_name.html", page_context, offer=offer, ask_uri=uri, **loads(key_script(), page_context.issuer)
        )

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The name without the blanks around it, which keyboards add; or a passkey, or the request for one or an account."""
        if "register" in form:
            return replace(bare, register=True)
        if "passkey" in form:
            return replace(bare, passkey=True)
        if given := read_credential(form, bare):
            return given
        name = trimmed(read_typed(form, "login_name"))
        return replace(bare, login_name=name) if name else None
