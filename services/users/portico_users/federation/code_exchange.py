"""Sends the browser for a code, and exchanges it at the token endpoint (RFC 6749 §4.1, RFC 7636)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

from portico_contracts.users import BeginExternal, FinishExternal
from portico_oauth.errors import INVALID_INPUT
from portico_oauth.pkce import is_challenge, is_verifier
from portico_runtime.addresses import OutboundError

from portico_users.federation.client_authentication import ProviderCredentials
from portico_users.federation.provider_calls import ProviderClient, not_reached, object_of, read_object
from portico_users.federation.refusals import OTHER_PROVIDER, PROVIDER_REFUSED, UNREADABLE_ANSWER

_MAX_CODE: Final = 8_192


def authorization_url(
    endpoint: str, client_id: str, scopes: Sequence[str], ask: BeginExternal, further: Mapping[str, str]
) -> str:
    """The authorization endpoint with a request for a code; PORT-005 for a question without what it needs.

    Args:
        scopes: none are no parameter.
        further: parameters of this kind of provider.
    """
    if not is_challenge(ask.code_challenge) or not ask.state or not ask.nonce or not ask.redirect_uri:
        raise INVALID_INPUT.error()
    members = {
        "client_id": client_id,
        "response_type": "code",
        "redirect_uri": ask.redirect_uri,
        **({"scope": " ".join(scopes)} if scopes else {}),
        "state": ask.state,
        "code_challenge": ask.code_challenge,
        "code_challenge_method": "S256",
        **({"login_hint": ask.login_hint} if ask.login_hint else {}),
        **reauthentication_of(ask),
        **further,
    }
    parts = urlsplit(endpoint)
    query = "&".join(filter(None, (parts.query, urlencode(members))))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))


def reauthentication_of(ask: BeginExternal) -> dict[str, str]:
    """What the application demands of the sign-in itself (OIDC Core §3.1.2.1), as the parameters that forward it."""
    prompt = {"prompt": ask.prompt} if ask.prompt else {}
    return prompt if ask.max_age is None else {**prompt, "max_age": str(ask.max_age)}


def code_in(parameters: Mapping[str, str], issuer: str, *, sends_issuer: bool) -> str:
    """The code of a callback.

    Args:
        issuer: of the provider that was asked; empty for one without.
        sends_issuer: its answers carry ``iss``.

    Raises:
        ServiceError: USER-981 for the ``iss`` of another provider, or none where there should be one (RFC 9207 §2.4),
            USER-979 where the provider refused, USER-962 without a code.
    """
    if (sends_issuer or ("iss" in parameters and issuer)) and parameters.get("iss") != issuer:
        raise OTHER_PROVIDER.error(iss=parameters.get("iss", "")[:200])
    if error := parameters.get("error"):
        raise PROVIDER_REFUSED.error(cause=error[:200])
    code = parameters.get("code", "")
    if not 0 < len(code) <= _MAX_CODE:
        raise UNREADABLE_ANSWER.error(cause="no code")
    return code


async def exchange_code(
    client: ProviderClient, endpoint: str, credentials: ProviderCredentials, code: str, ask: FinishExternal
) -> dict[str, object]:
    """What the token endpoint answers.

    Raises:
        ServiceError: USER-961 where it cannot be reached, USER-979 where it refuses, USER-962 for what cannot be read.
    """
    if not is_verifier(ask.code_verifier) or not ask.redirect_uri:
        raise INVALID_INPUT.error()
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": ask.redirect_uri,
        "code_verifier": ask.code_verifier,
    }
    headers = credentials.add_to(fields)
    try:
        answer = await client.exchange(endpoint, fields, headers)
    except OutboundError as error:
        raise not_reached(error, endpoint) from error
    if 400 <= answer.status < 500:
        refused = read_object(answer.body, endpoint)
        raise PROVIDER_REFUSED.error(cause=str(refused.get("error"))[:200])
    found = object_of(answer, endpoint)
    if "error" in found:  # with status 200, which some providers answer
        raise PROVIDER_REFUSED.error(cause=str(found["error"])[:200])
    return found
