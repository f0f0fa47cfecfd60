"""The page of a new password, with the one in force (LG-24): a session left open is not enough to change it."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page
from portico_login_ui.scripts import loads, password_script


class ChangePassword:
    """The page of a password that must be changed before the sign-in goes on."""

    step = StepName.CHANGE_PASSWORD

    def show(self, page_context: PageContext) -> Response:
        """The page; never with a password in it."""
        return step_page(
            "change_password.html",
            page_context,
            rules=page_context.step.password_rules,
            **loads(password_script(), page_context.issuer),
        )

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """Both passwords as they are."""
        current, new = read_typed(form, "password"), read_typed(form, "new_password")
        return replace(bare, password=current, new_password=new) if current and new else None
