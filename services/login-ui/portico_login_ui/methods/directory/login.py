"""The page of a directory: login name and password, which the directory checks."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page
from portico_login_ui.scripts import loads, password_script


class Directory:
    """The page after the button of a directory, the same for names it has and has not (LG-01)."""

    step = StepName.DIRECTORY

    def show(self, page_context: PageContext) -> Response:
        """The page; never with a password in it."""
        return step_page("directory.html", page_context, **loads(password_script(), page_context.issuer))

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """Both as they are; nothing where one of them is missing: an empty password is none (RFC 4513 §5.1.2)."""
        login_name, password = read_typed(form, "login_name"), read_typed(form, "password")
        return replace(bare, login_name=login_name, password=password) if login_name.strip() and password else None
