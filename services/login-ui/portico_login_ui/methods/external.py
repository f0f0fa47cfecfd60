"""The page about a user whom another identity provider knows, and who has no account here."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.login import Answer
from portico_contracts.users import Profile
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_login_ui.methods.method import PageContext, read_typed

_FIELDS: Final = ("user_name", "email", "first_name", "last_name")


def profile_context(page_context: PageContext) -> dict[str, Any]:
    """The profile entered before a refusal, else that of the provider; the first missing field gets the focus."""
    typed = page_context.profile or page_context.step.profile or Profile()
    wanted = next((name for name in _FIELDS if name in page_context.step.missing), _FIELDS[0])
    return {"typed": typed, "wanted": wanted}


def read_profile(form: Parameters, bare: Answer) -> Answer | None:
    """What was entered, complete or not: users decides what is missing."""
    user_name, email, first_name, last_name = (trimmed(read_typed(form, name)) for name in _FIELDS)
    entered = Profile(user_name=user_name, email=email, first_name=first_name, last_name=last_name)
    return replace(bare, profile=entered)
