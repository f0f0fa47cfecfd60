"""The pages about a person another identity provider knows, and who has no account here."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_contracts.users import Profile
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, read_typed, step_page

_FIELDS: Final = ("user_name", "email", "first_name", "last_name")


class CompleteExternal:
    """The details of the account to make, filled in with what the provider states; the identity itself is not here."""

    step = StepName.COMPLETE_EXTERNAL

    def show(self, page_context: PageContext) -> Response:
        """The page, with what was entered before a refusal."""
        typed = page_context.profile or page_context.step.profile or Profile()
        # The first field that has to be filled in has the focus.
        wanted = next((name for name in _FIELDS if name in page_context.step.missing), _FIELDS[0])
        return step_page("complete_external.html", page_context, typed=typed, wanted=wanted)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """What was entered, complete or not: users decides what is missing."""
        entered = Profile(
            user_name=trimmed(read_typed(form, "user_name")),
            first_name=trimmed(read_typed(form, "first_name")),
            last_name=trimmed(read_typed(form, "last_name")),
            email=trimmed(read_typed(form, "email")),
        )
        return replace(bare, profile=entered)


class ExternalNoAccount:
    """A page without a field: one can leave it, start over, or link an account where that is permitted."""

    step = StepName.EXTERNAL_NO_ACCOUNT

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        return step_page("external_no_account.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The page has no field to read."""
        return None
