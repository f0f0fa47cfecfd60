"""What users answers about intents: sign-ins through other identity providers that a service user began (decision 0051).

The whole flow of an intent is users': authz only passes on what a browser brings to the callback addresses, which intents
share with sign-ins. A `state` shows which of the two it is of, so that neither is ever taken for the other.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.external import EXTERNAL_SECONDS, ProviderKind

INTENT_STATE: Final = "intent."
"""What every ``state`` of an intent begins with; no identifier of authz has a dot."""


class FindIntent(Message, frozen=True):
    """Asks what is to come back for an intent that waits for the browser; it stays as it is."""

    state: Secret


class IntentFlow(Message, frozen=True):
    """How the browser comes back.

    Attributes:
        user_agent: with `ProviderKind.JWT`: the ``userAgentID`` it was sent away with.
        jwt_header: with `ProviderKind.JWT`: the header its JWT comes in, in lower case.
        form_post: the provider answers by a cross-site POST.
    """

    provider_id: str
    kind: ProviderKind
    user_agent: Secret = ""
    jwt_header: str = ""
    form_post: bool = False


class ReturnIntent(Message, frozen=True):
    """What a browser brought back: claims the intent, once, and verifies the identity.

    Attributes:
        provider_id: whose callback address it came to.
        parameters: of the callback, as they came; none with a JWT.
        jwt: with `ProviderKind.JWT`.
    """

    state: Secret
    provider_id: str
    parameters: dict[str, Secret] = {}
    jwt: Secret = ""


class IntentReturned(Message, frozen=True):
    """Where the browser goes: the caller's own page, with the token of the intent or an error."""

    url: Secret


FIND_INTENT = Rpc("users.v1.intent.find", FindIntent, IntentFlow, ("authz",))
RETURN_INTENT = Rpc("users.v1.intent.return", ReturnIntent, IntentReturned, ("authz",), EXTERNAL_SECONDS)
