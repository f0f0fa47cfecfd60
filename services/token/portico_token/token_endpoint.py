"""The token endpoint as a pipeline: the steps of every grant, in order (RFC 6749 sections 3.2 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Final

import msgspec
from portico_contracts.diagnostics import DiagnosedEndpoint, Hint
from portico_contracts.http import TOKEN
from portico_contracts.tallies import Tallies
from portico_contracts.users import AccessTokenType, Client, Dpop
from portico_oauth import grant_types, scopes
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.zitadel_names import readable_scope
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_length
from portico_web.json_response import JsonResponse
from starlette.requests import Request
from starlette.responses import Response

from portico_token.accepted_assertions.kind import ENCODED, is_identity_assertion
from portico_token.accepted_assertions.verification import AcceptedAssertions
from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.client_auth.by_assertion import AssertedClients
from portico_token.client_auth.credentials import Presented
from portico_token.credential_form import compare_repeats, read_presented
from portico_token.domain.clients import AuthenticatedClient
from portico_token.dpop.possession import prove_key, require_key
from portico_token.dpop.proofs import Proofs, sent_proofs
from portico_token.grants import GRANTS
from portico_token.grants.accepted_assertion import AcceptedAssertion
from portico_token.grants.permitted_scope import INVALID_SCOPE, compare_scope
from portico_token.grants.protocol import ClientIdentification, GrantDependencies, GrantType, IdTokenPolicy, ScopePolicy
from portico_token.grants.results import IdentityAssertion
from portico_token.issuing.issuer import Issuer
from portico_token.known_client import before_use, note_client
from portico_token.signing.signer import Signer

NO_GRANT_TYPE = ErrorCode(
    "TOKEN-001",
    Kind.INVALID_REQUEST,
    "The grant_type is missing.",
    "Send one of grant_types_supported of the discovery document.",
)
UNKNOWN_GRANT_TYPE = ErrorCode(
    "TOKEN-002",
    Kind.UNSUPPORTED_GRANT_TYPE,
    "Unknown grant_type.",
    "Send one of grant_types_supported of the discovery document, in the same case.",
)
GRANT_NOT_ALLOWED = ErrorCode(
    "TOKEN-003",
    Kind.UNAUTHORIZED_CLIENT,
    "The client is not allowed to use this grant_type.",
    "Enable the grant type for the application.",
)
NO_SCOPE = ErrorCode("TOKEN-140", Kind.INVALID_REQUEST, "The scope is missing.", "Send a scope such as openid.")

_encode = msgspec.json.Encoder().encode

_FIRST, _SECOND, _THIRD = ENCODED

_ISSUED: Final = Tallies("portico_tokens_issued_total", "Token responses by grant type.", ["grant"])


_ASSERTION: Final = "identity_assertion"
"""In place of the grant type, because it is no token of this installation."""


class TokenEndpoint:
    def __init__(
        self,
        clients: ClientAuthentication,
        asserted: AssertedClients,
        dependencies: GrantDependencies,
        issuer: Issuer,
        signer: Signer,
        traces: DiagnosticsRecorder,
        proofs: Proofs,
        accepted_assertions: AcceptedAssertions,
        *,
        zitadel_names: bool = False,
    ) -> None:
        self._clients = clients
        self._asserted = asserted
        self._grants = {name: kind(dependencies) for name, kind in GRANTS.items()}
        self._jwt_profile = self._grants[grant_types.JWT_BEARER]
        self._accepted_assertion = AcceptedAssertion(dependencies, accepted_assertions)
        self._issuer = issuer
        self._signer = signer
        self._traces = traces
        self._proofs = proofs
        self._zitadel_names = zitadel_names

    async def answer(self, request: Request) -> Response:
        """Raises ServiceError: of the failed step."""
        # 1 Read the form once: no repeats, nothing in the query.
        presented = await read_presented(request)
        form = presented.form
        # 2 Find the grant in the table.
        grant_type = self._find_grant_type(form)
        # 3 Authenticate the client: one mechanism, a registered one, allowed for this grant.
        client = await self._authenticate(request, presented, grant_type)
        note_client(request, client.client)
        # 3b Which key does it have? Of a bound refresh token also where DPoP was turned off meanwhile.
        is_off = client.client.dpop is Dpop.OFF
        is_bound = is_off and bool(sent_proofs(request)) and await grant_type.is_bound(form, client)
        client = await prove_key(self._proofs, request, client, TOKEN, is_bound=is_bound)
        require_key(client)
        # 4 May this client use this grant?
        refuse_grant_not_allowed(client.client, grant_type)
        # 5 Read the scope by the policy of the grant.
        scope = read_scope(form, grant_type.scope, zitadel_names=self._zitadel_names)
        # 6 Check that a key can sign, before anything is consumed.
        if may_sign(client.client, grant_type):
            self._signer.refuse_without_key(client.client.id_token_alg)
        # 7 Authorize: the grant reads only its own parameters, and claims a code.
        granted = await grant_type.authorize(select_parameters(form, grant_type.parameters), client, scope)
        if isinstance(granted, IdentityAssertion):
            return self._assert(granted, client.jkt)
        # 7b Call the token hook of the application: everything that may fail before a refresh token is consumed.
        if granted.client.token_hook is not None:
            granted = await self._issuer.token_hooks.ask(granted)
        # 8 Issue: the user is still active, the grant is stored, then the tokens are signed.
        tokens = await self._issuer.issue(granted, grant_type.id_token, client.jkt)
        self._traces.issued(granted.client, DiagnosedEndpoint.TOKEN, granted.left_out, granted.hook_failure)
        _ISSUED.of(grant_type.grant_type).count += 1
        # 9 Respond, with no-store.
        return JsonResponse(_encode(tokens))

    def _assert(self, granted: IdentityAssertion, jkt: str) -> Response:
        """Signs an assertion for another server: no token of ours, so nothing is stored, and no hook adds claims."""
        answer = self._issuer.assertion_signer.make(granted, jkt)
        self._traces.issued(granted.client, DiagnosedEndpoint.TOKEN, granted.left_out, None)
        _ISSUED.of(_ASSERTION).count += 1
        return JsonResponse(_encode(answer))

    async def _authenticate(self, request: Request, presented: Presented, grant_type: GrantType) -> AuthenticatedClient:
        if grant_type.client is ClientIdentification.ASSERTION:
            return await self._asserted.authenticate(presented, TOKEN)
        ready = partial(before_use, self._proofs, request)
        return await self._clients.authenticate(presented, grant_type.methods, TOKEN, ready)

    def _find_grant_type(self, form: Mapping[str, str]) -> GrantType:
        name = form.get("grant_type")
        if name is None:
            raise NO_GRANT_TYPE.error(compared=Compared("grant_type", hint=Hint.MISSING))
        grant_type = self._grants.get(name)
        if grant_type is None:
            given = name if name in grant_types.VALUES else shown_length(name)
            compared = Compared("grant_type", given, grant_types.VALUES[:MOST_WANTED], Hint.UNKNOWN)
            raise UNKNOWN_GRANT_TYPE.error(grant_type_length=len(name), compared=compared)
        if grant_type is self._jwt_profile and "assertion" in form:
            # A search for text, so that an assertion of a service user costs no call more (decision 0157).
            text = form["assertion"]
            if (_FIRST in text or _SECOND in text or _THIRD in text) and is_identity_assertion(text):
                return self._accepted_assertion
        return grant_type


def refuse_grant_not_allowed(client: Client, grant_type: GrantType | type[GrantType]) -> None:
    """Raises TOKEN-003 unless the client is registered for the grant type (TK-19)."""
    if grant_type.grant_type not in client.grant_types and grant_type.is_registered:
        name = grant_type.grant_type
        compared = Compared("grant_type_allowed", name, client.grant_types)
        raise GRANT_NOT_ALLOWED.error(client=client.client_id, grant_type=name, compared=compared)


def read_scope(form: Mapping[str, str], policy: ScopePolicy, *, zitadel_names: bool = False) -> tuple[str, ...] | None:
    """Returns the words, each once; None where none was requested, or the grant ignores it (TK-13)."""
    text = form.get("scope")
    if text is None or policy is ScopePolicy.IGNORED:
        if policy is ScopePolicy.REQUIRED:
            raise NO_SCOPE.error(compared=Compared("scope", hint=Hint.MISSING))
        return None
    if zitadel_names:
        text = readable_scope(text)
    words = _words(text) if len(text) <= scopes.MAX_LENGTH else None
    if words is None or (not zitadel_names and any(map(_is_scope_of_zitadel, words))):
        raise INVALID_SCOPE.error(compared=compare_scope(text))
    if not words and policy is ScopePolicy.REQUIRED:
        raise NO_SCOPE.error(compared=compare_scope(text))
    return words or None


@lru_cache(maxsize=1_000)
def _words(text: str) -> tuple[str, ...] | None:
    """Cached, because clients repeat the same few scopes."""
    words = scopes.split(text)
    return tuple(words) if words is not None else None


def _is_scope_of_zitadel(word: str) -> bool:
    return scopes.is_their_name(word) and scopes.is_known(word)


def may_sign(client: Client, grant_type: GrantType) -> bool:
    return grant_type.id_token is not IdTokenPolicy.NEVER or client.access_token_type is AccessTokenType.JWT


def select_parameters(form: Parameters, names: frozenset[str]) -> dict[str, str]:
    """Returns the parameters of a grant. Raises OAUTH-001 for repeated ones."""
    try:
        form.refuse_repeats(names)
    except ServiceError as error:
        error.compared = compare_repeats(error)
        raise
    return {name: form[name] for name in names if name in form}
