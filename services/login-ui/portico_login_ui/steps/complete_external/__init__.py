"""The page about a user whom another identity provider knows, and who has no account here."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.login_steps.complete_external import CompleteExternalAnswer, CompleteExternalStep
from portico_contracts.users import Profile
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_login_ui.methods.method import Method, PageContext, read_typed

_FIELDS: Final = ("user_name", "email", "first_name", "last_name")


def _context(page_context: PageContext[CompleteExternalStep]) -> dict[str, Any]:
    """The profile entered before a refusal, else that of the provider; the first missing field gets the focus."""
    sent = page_context.submitted
    entered = sent.profile if isinstance(sent, CompleteExternalAnswer) else None
    typed = entered or page_context.step.profile or Profile()
    wanted = next((name for name in _FIELDS if name in page_context.step.missing), _FIELDS[0])
    return {"typed": typed, "wanted": wanted}


def _read(form: Parameters, bare: CompleteExternalAnswer) -> CompleteExternalAnswer | None:
    """What was entered, complete or not: users decides what is missing."""
    if "link" in form:
        return replace(bare, link=True)
    user_name, email, first_name, last_name = (trimmed(read_typed(form, name)) for name in _FIELDS)
    entered = Profile(user_name=user_name, email=email, first_name=first_name, last_name=last_name)
    return replace(bare, profile=entered)


METHOD = Method("complete_external.html", CompleteExternalStep, CompleteExternalAnswer, _read, _context)
