from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Id, Name, SecretText
from portico_contracts.apply.vocabulary import ObjectState, OnFailureName


class Webhook(DeclaredObject, frozen=True):
    """A receiver of events. A missing ``secret`` (``whsec_…``) is generated and shown once."""

    name: Name
    url: Annotated[str, Meta(min_length=1, max_length=2_000)]
    event_types: tuple[Name, ...]
    secret: SecretText | None = None
    id: Id | None = None
    state: ObjectState | None = None
    project_id: Id | None = None
    """Project whose tokens a webhook with ``token.issue`` adds claims to; omitted in webhooks of the instance."""
    on_failure: OnFailureName = OnFailureName.CLOSED
    """Whether a request is refused when its token hook fails."""
    at_refresh: bool = False
    """Call the token hook at each refresh, not only at the sign-in."""
