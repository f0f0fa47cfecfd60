"""What to correct, by the error that the provider itself reported."""

from __future__ import annotations

from typing import Final

from portico_console.management.api import Fields
from portico_console.messages import message

_DISCOVERY: Final = "/.well-known/openid-configuration"
NO_METADATA: Final = message(
    "There is no discovery document at this address. It is made of the issuer: compare it with the one that the provider shows."
)
REDIRECT: Final = message("The redirect URI differs. Register exactly the redirect URI of this page at the provider.")
_OF_CAUSE: Final = {
    "invalid_client": message(
        "The provider rejected the client ID or the client secret. Copy the secret again, or create a new one."
    ),
    "incorrect_client_credentials": message(
        "The provider rejected the client ID or the client secret. Copy the secret again, or create a new one."
    ),
    "unauthorized_client": message(
        "The provider does not allow this client to sign users in this way. Enable the authorization code flow there."
    ),
    "redirect_uri_mismatch": REDIRECT,
    "invalid_scope": message("The provider does not know a requested scope, or this client must not use it."),
    "access_denied": message(
        "The sign-in was cancelled at the provider, or this user is not allowed to use the application there."
    ),
    "invalid_grant": message(
        "The provider rejected the code. Check that the redirect URI is the same there, and that the clocks are right."
    ),
    "server_error": message("The provider failed. Try again, and look at its own log."),
    "temporarily_unavailable": message("The provider is busy. Try again in a moment."),
}


def advice_on(test: Fields) -> str:
    """English, and empty where the error has no better correction than its own."""
    cause, description = str(test["errorCause"]), str(test["errorDescription"]).lower()
    if cause == "status 404" and str(test["errorUrl"]).endswith(_DISCOVERY):
        return NO_METADATA
    if "redirect" in description and cause != "redirect_uri_mismatch":
        return REDIRECT
    return _OF_CAUSE.get(cause, "")
