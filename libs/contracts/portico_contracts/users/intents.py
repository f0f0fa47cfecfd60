"""Messages about intents: sign-ins through identity providers started by a service user (decision 0051).

users owns the flow; authz only forwards the callbacks, whose URLs intents share with sign-ins. The prefix of
`state` distinguishes the two, so that neither is mistaken for the other.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.external import EXTERNAL_SECONDS, ProviderKind

INTENT_STATE: Final = "intent."
"""Prefix of an intent's ``state``; identifiers of authz contain no dot."""


class FindIntent(Message, frozen=True):
    """Requests the expected callback of a waiting intent; read-only."""

    state: Secret


class IntentFlow(Message, frozen=True):
    """How the browser returns; `form_post`: the provider responds by a cross-site POST."""

    provider_id: str
    kind: ProviderKind
    user_agent: Secret = ""
    jwt_header: str = ""
    form_post: bool = False


class ReturnIntent(Message, frozen=True):
    """A callback: claims the intent, once, and verifies the identity."""

    state: Secret
    provider_id: str
    parameters: dict[str, Secret] = {}
    jwt: Secret = ""


class IntentReturned(Message, frozen=True):
    """The redirect to the caller's page, with the token of the intent or an error."""

    url: Secret


FIND_INTENT = Rpc("users.v1.intent.find", FindIntent, IntentFlow, ("authz",))
RETURN_INTENT = Rpc("users.v1.intent.return", ReturnIntent, IntentReturned, ("authz",), EXTERNAL_SECONDS)
