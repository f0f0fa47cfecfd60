"""Asks which account of this browser to go on with, or whether with another one."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page


class SelectAccount:
    """One button for each account, so that one press is the whole answer."""

    step = StepName.SELECT_ACCOUNT

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        return step_page("select_account.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The id of the account whose button was pressed; none for another account."""
        account = read_typed(form, "account")
        if account:
            return replace(bare, account=account)
        return bare if "other" in form else None
