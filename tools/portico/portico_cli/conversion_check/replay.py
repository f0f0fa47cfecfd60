"""The shadow week: the requests of an old event log, sent to the running services as the applications would.

Authorization requests carry ``prompt=none``, which starts no sign-in; token requests carry no valid code. So
every check of the services runs, and nothing is issued.
"""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import httpx
from portico_contracts.apply import AuthMethodName, Document
from portico_contracts.http import AUTHORIZE, TOKEN
from portico_contracts.users import GET_USER, GetUser
from portico_conversion.event_logs.sign_ins import Authorization, SignIns, TokenRequest
from portico_oauth.grant_types import AUTHORIZATION_CODE, CLIENT_CREDENTIALS, REFRESH_TOKEN
from portico_oauth.pkce import challenge_of
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.tls.clients import client_context

from portico_cli.bus_calls.in_order import answers_in_order

_INVALID: Final = "portico-convert-check"

NO_USER: Final = "The user is not here, or not active."
SECRET_OF_PUBLIC: Final = "The application sends a secret, but it is registered without one."
NO_OPENID: Final = "scope: client credentials need the scope openid here."

NEW_SECRET: Final = "The secret is not converted: the application needs the new one."

_PARAMETERS: Final[Mapping[str, dict[str, str]]] = {
    AUTHORIZATION_CODE: {"code": _INVALID, "redirect_uri": f"https://{_INVALID}.invalid"},
    REFRESH_TOKEN: {"refresh_token": _INVALID},
}
_SECONDS: Final = 30.0
_PASSED: Final = frozenset({"login_required", "interaction_required", "consent_required", "account_selection_required"})
_AUTHENTICATED: Final = frozenset({"invalid_grant", "invalid_request", "invalid_scope"})
_FACT: Final = re.compile(r'id="error-(text|fact)"[^>]*>([^<]*)<')
_VERIFIER: Final = f"{_INVALID}-{'0' * 42}"


class Provider(NamedTuple):
    issuer: str
    ca_file: str = ""


class Failure(NamedTuple):
    """`about` is the key of the sign-ins in `SignIns.first`."""

    about: object
    number: int
    what: str
    reason: str


class Clients(NamedTuple):
    """Clients of the converted document: their secrets, None for a generated one; and those without any, or with a key or a certificate."""

    secrets: Mapping[str, str | None]
    public: frozenset[str]
    keyed: frozenset[str]


def clients_of(document: Document) -> Clients:
    secrets, methods = dict[str, str | None](), dict[str, AuthMethodName]()
    for organization in document.organizations:
        for user in organization.service_users or ():
            secrets[user.username] = user.secret
        for project in organization.projects or ():
            for app in project.oidc_apps or ():
                secrets[app.client_id or ""] = app.client_secret
                methods[app.client_id or ""] = app.auth_method_type

    def having(method: AuthMethodName) -> frozenset[str]:
        return frozenset(client_id for client_id, one in methods.items() if one is method)

    keyed = (AuthMethodName.PRIVATE_KEY_JWT, AuthMethodName.TLS_CLIENT_AUTH, AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH)
    return Clients(secrets, having(AuthMethodName.NONE), frozenset().union(*map(having, keyed)))


async def failures(sign_ins: SignIns, clients: Clients, bus: NatsBus, provider: Provider) -> AsyncIterator[Failure]:
    trust = client_context(provider.ca_file)
    headers = {"Accept-Language": "en"}
    async with httpx.AsyncClient(base_url=provider.issuer, verify=trust, timeout=_SECONDS, headers=headers) as http:
        authorizations = sign_ins.authorizations.items()
        async for (asked, number), reason in answers_in_order(authorizations, lambda one: _authorize(http, one[0])):
            if reason:
                yield Failure(asked, number, f"client {asked.client_id}, {asked.redirect_uri}", reason)
        token_requests = sign_ins.token_requests.items()
        async for (wanted, number), reason in answers_in_order(
            token_requests, lambda one: _token(http, one[0], clients)
        ):
            if reason:
                yield Failure(wanted, number, f"client {wanted.client_id}, grant {wanted.grant_type}", reason)
    async for (user_id, number), reason in answers_in_order(sign_ins.users.items(), lambda one: _user(bus, one[0])):
        if reason:
            yield Failure(user_id, number, f"user {user_id}", reason)


async def _user(bus: NatsBus, user_id: str) -> str:
    return NO_USER if (await bus.call(GET_USER, GetUser(user_id=user_id))).user is None else ""


async def _authorize(http: httpx.AsyncClient, asked: Authorization) -> str:
    query = {
        "client_id": asked.client_id,
        "redirect_uri": asked.redirect_uri,
        "response_type": asked.response_type,
        "response_mode": asked.response_mode,
        "scope": "openid",
        "prompt": "none",
        "nonce": _INVALID,
        # The log does not show whether the application sends a challenge: without a secret it has to.
        "code_challenge": challenge_of(_VERIFIER),
        "code_challenge_method": "S256",
    }
    answer = await http.get(AUTHORIZE, params={name: value for name, value in query.items() if value})
    if answer.is_redirect:
        parts = urlsplit(answer.headers["location"])
        returned = dict(parse_qsl(parts.query or parts.fragment))
    else:
        returned = dict(re.findall(r'name="(error\w*)" value="([^"]*)"', answer.text))  # form_post
    if returned.get("error") in _PASSED:
        return ""
    if "error" in returned:
        return f"{returned['error']}: {html.unescape(returned.get('error_description', ''))}"
    told = {name: html.unescape(text).strip() for name, text in _FACT.findall(answer.text)}
    return f"{told.get('text', f'status {answer.status_code}')} ({told.get('fact', 'no error id')})"


async def _token(http: httpx.AsyncClient, wanted: TokenRequest, clients: Clients) -> str:
    if wanted.client_id in clients.keyed:  # only the application can sign
        return ""
    if wanted.with_secret and wanted.client_id in clients.public:
        return SECRET_OF_PUBLIC
    form: dict[str, str] = {"grant_type": wanted.grant_type, "client_id": wanted.client_id}
    form |= _PARAMETERS.get(wanted.grant_type, {})
    if wanted.grant_type == CLIENT_CREDENTIALS and "openid" not in wanted.scope.split():
        return NO_OPENID
    secret = clients.secrets.get(wanted.client_id)
    if wanted.with_secret and secret is None and wanted.client_id in clients.secrets:
        return NEW_SECRET
    if secret:
        form["client_secret"] = secret
    answer = await http.post(TOKEN, data=form)
    body = _json(answer)
    if body.get("error") in _AUTHENTICATED:
        return ""
    return f"{body.get('error', answer.status_code)}: {body.get('error_description', '')}"


def _json(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
