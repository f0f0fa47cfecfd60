"""Words for what the diagnostics of requests name: endpoints, checks, and the values that a check compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from portico_console.management.api import Fields
from portico_console.messages import message

ENDPOINTS: Final = {
    "authorization": message("Sign-in request"),
    "pushed_authorization": message("Pushed sign-in request"),
    "login": message("Sign-in pages"),
    "end_session": message("Sign-out"),
    "token": message("Token request"),
    "device_authorization": message("Sign-in request of a device"),
    "introspection": message("Check of a token"),
    "revocation": message("Revocation of a token"),
    "userinfo": message("Query of user data"),
    "management": message("Call of the management API"),
}
"""By the words of the API, as `CHECKS`."""

CHECKS: Final = {
    "access_token": message("Access token"),
    "authentication": message("Authentication of the caller"),
    "bearer": message("Access token sent"),
    "claims": message("Requested claims"),
    "client": message("Application"),
    "client_authentication": message("Authentication of the application"),
    "consent": message("Consent of the user"),
    "device": message("Sign-in on devices"),
    "dpop": message("Proof of possession (DPoP)"),
    "end_user": message("Token of a person"),
    "form": message("Form of the request"),
    "grant": message("Code, token or assertion"),
    "grant_type": message("Grant type"),
    "grant_type_allowed": message("Grant type allowed"),
    "hints": message("Hints about the user"),
    "id_token_hint": message("Hint about the user"),
    "identity_repeats": message("Application and redirect URI sent once"),
    "login": message("The sign-in"),
    "max_age": message("Maximum age of the sign-in"),
    "nonce": message("Nonce"),
    "permission": message("Permission of the caller"),
    "pkce": message("PKCE"),
    "post_logout_redirect_uri": message("Redirect URI after sign-out"),
    "project_access": message("Access to the project"),
    "prompt": message("Prompt"),
    "push_allowed": message("Pushed requests allowed"),
    "push_required": message("Pushed request required"),
    "pushed_request": message("Pushed request found"),
    "redirect_uri": message("Redirect URI"),
    "repeats": message("Each parameter sent once"),
    "request": message("The request itself"),
    "request_objects": message("No request objects"),
    "resource": message("Requested APIs"),
    "response_mode": message("Response mode"),
    "response_type": message("Response type"),
    "scope": message("Scope"),
    "session": message("Session of the user"),
    "sizes": message("Lengths of the parameters"),
    "state": message("State"),
    "token": message("Token"),
    "token_hook": message("Token hook"),
    "token_size": message("Length of the token"),
    "user": message("User is active"),
}

EXPECTED: Final = frozenset(
    {
        message("43 characters, or none"),
        message("a JSON object of at most 4000 characters"),
        message("a code of this client and redirect_uri, once"),
        message("a device code of this client, approved, once"),
        message("a grant of the project to the organization of the user"),
        message("a new assertion for each request"),
        message("a registered address"),
        message("a request_uri of this client, for 60 seconds"),
        message("a resource or an organization"),
        message("a role in the project"),
        message("a session that has not ended"),
        message("a session that fits without interaction"),
        message("a token of a sign-in"),
        message("a user who may use the application"),
        message("access that was not ended since"),
        message("an active access token for this client"),
        message("an active access token of a sign-in, for this client"),
        message("an active application"),
        message("an active application that signs users in"),
        message("an active token for this API"),
        message("an active user"),
        message("an id_token of a sign-in, with sid"),
        message("an id_token of this application"),
        message("an id_token of this issuer"),
        message("at most ten digits"),
        message("each once"),
        message("everything allowed by the user before"),
        message("exp in the future"),
        message("iat within the hour"),
        message("neither"),
        message("state at most 4096 bytes, nonce 1024, all together 12 KiB"),
        message("the refresh token of the last response"),
    }
)
"""Sentences among the accepted values of a check; others are values of the protocol."""

_LENGTH: Final = message("(%(count)s characters)")
_OTHERS: Final = message("(and %(count)s other)")
_AGO: Final = message("expired %(count)s seconds ago")
_IN_VALUES: Final = (
    (re.compile(r"\((\d+) characters\)"), _LENGTH),
    (re.compile(r"\(and (\d+) other\)"), _OTHERS),
    (re.compile(r"expired (\d+) seconds ago"), _AGO),
)
"""What is shown instead of a secret or a long value."""

Translate = Callable[[str], str]


def word_of(table: dict[str, str], name: str, translate: Translate) -> str:
    """Returns the word of an endpoint or a check; the name itself for one of a newer release."""
    return translate(table[name]) if name in table else name


def checks_of(trace: dict[str, Any], translate: Translate) -> list[Fields]:
    """Returns the checks of diagnostics with their words: `label`, `given`, `values` and `sentences`."""
    return [_worded(one, translate) for one in trace.get("checks", ())]


def _worded(check: dict[str, Any], translate: Translate) -> Fields:
    wanted = check.get("wanted", ())
    values = [_in_words(text, translate) for text in wanted if text not in EXPECTED]
    sentences = [translate(text) for text in wanted if text in EXPECTED]
    label, given = word_of(CHECKS, check.get("name", ""), translate), _in_words(check.get("given", ""), translate)
    return Fields(check, label=label, given=given, values=values, sentences=sentences)


def _in_words(given: str, translate: Translate) -> str:
    for pattern, sentence in _IN_VALUES:
        if found := pattern.search(given):
            given = given.replace(found[0], translate(sentence) % {"count": found[1]})
    return given
