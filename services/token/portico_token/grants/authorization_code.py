"""authorization_code (RFC 6749 section 4.1.3, RFC 7636 section 4.5).

redirect_uri is always required (TK-08). authz compares client, redirect_uri and verifier before it claims the
code atomically, so that a wrong one does not consume it (TK-05, TK-06). A used code, replayed by the right
client, revokes its grant, even if a concurrent request is about to save it (TK-03). A redirect URI that was
removed since is rejected after the claim, so that reuse is still detected (decision 0027).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from portico_contracts.authz import REDEEM_CODE, CodeRedeemed, RedeemCode
from portico_contracts.diagnostics import Hint
from portico_contracts.error_ids import CODE_INVALID, CODE_VERIFIER_MISSING
from portico_contracts.users import AuthMethod, Client, may_return_to
from portico_oauth import grant_types, pkce, redirect_uris
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.parameters import RESOURCE
from portico_runtime.diagnostics.uri_hints import compare_uri

from portico_token.domain.clients import AuthenticatedClient
from portico_token.grants.protocol import GrantType, ScopePolicy
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import NewGrant
from portico_token.grants.sign_in import result_of_sign_in

NO_CODE = ErrorCode(
    "TOKEN-030", Kind.INVALID_REQUEST, "The code is missing.", "Send the code of the authorization response."
)
NO_REDIRECT_URI = ErrorCode(
    "TOKEN-031",
    Kind.INVALID_REQUEST,
    "The redirect_uri is missing.",
    "Send the redirect_uri of the authorization request again.",
)
NO_VERIFIER = ErrorCode(
    "TOKEN-032", Kind.INVALID_REQUEST, "The code_verifier is missing.", "A client without a secret must use PKCE."
)
BAD_VERIFIER = ErrorCode(
    "TOKEN-033",
    Kind.INVALID_REQUEST,
    "The code_verifier is malformed.",
    "Send 43 to 128 characters of A-Z, a-z, 0-9, hyphen, dot, underscore and tilde.",
)
INVALID_CODE = ErrorCode(
    "TOKEN-034",
    Kind.INVALID_GRANT,
    "The code is invalid, expired or already used.",
    "Start a new authorization request. A code works once.",
)

REDIRECT_URI_REMOVED = ErrorCode(
    "TOKEN-067",
    Kind.INVALID_GRANT,
    "The redirect_uri is no longer registered.",
    "Register the redirect_uri again, and start a new authorization request.",
)


@dataclass(frozen=True, slots=True)
class _Requested:
    code: str = field(repr=False)
    redirect_uri: str
    code_verifier: str = field(repr=False)


class AuthorizationCode(GrantType):
    """Exchanges a code for tokens."""

    grant_type: ClassVar[str] = grant_types.AUTHORIZATION_CODE
    parameters: ClassVar[frozenset[str]] = frozenset({"code", "redirect_uri", "code_verifier", RESOURCE})
    scope: ClassVar[ScopePolicy] = ScopePolicy.IGNORED

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, _scope: tuple[str, ...] | None
    ) -> NewGrant:
        requested = _read(parameters, client.method)
        resources = requested_resources(parameters)
        client_id = client.client.client_id
        now = self._dependencies.clock.now()
        redeemed = await self._redeem(requested, client)
        if redeemed.spent_grant_id:
            await self._dependencies.compromised_grants.revoke(redeemed.spent_grant_id, client_id)
        # authz has compared the client already; comparing it again costs nothing (TK-05).
        if redeemed.grant is None or redeemed.grant.client_id != client_id:
            raise INVALID_CODE.error(grant=redeemed.spent_grant_id, compared=Compared("grant"))
        current = await self._dependencies.users_client.current(client.client, redeemed.grant)
        if current is None:
            raise INVALID_CODE.error(client=client_id, compared=Compared("grant"))
        _refuse_removed(requested.redirect_uri, current)
        return await result_of_sign_in(
            self._dependencies, redeemed.grant, current, resources, redeemed.version, now=now
        )

    async def _redeem(self, requested: _Requested, client: AuthenticatedClient) -> CodeRedeemed:
        redeem = RedeemCode(
            code=requested.code,
            client_id=client.client.client_id,
            redirect_uri=requested.redirect_uri,
            code_verifier=requested.code_verifier,
            jkt=client.jkt,
        )
        try:
            return await self._dependencies.bus.call(REDEEM_CODE, redeem)
        except ServiceError as error:
            error.compared = _compare_code(error)
            if client.client.fapi2 and error.id == CODE_VERIFIER_MISSING:
                error.kind = Kind.INVALID_GRANT  # as its conformance suite reads RFC 7636 section 4.6
            raise


_OUTCOMES: Final = {"unknown": Hint.UNKNOWN, "foreign": Hint.OTHER_CLIENT, "expired": Hint.EXPIRED}


def _compare_code(error: ServiceError) -> Compared:
    """The reason authz gave for not redeeming a code."""
    if error.id != CODE_INVALID:
        return Compared("grant", hint=Hint.MISSING if error.id == CODE_VERIFIER_MISSING else "")
    late = error.private.get("seconds_late")
    given = f"expired {int(late)} seconds ago" if isinstance(late, int | float) else ""
    hint = _OUTCOMES.get(error.private.get("outcome", ""), "")
    return Compared("grant", given, ("a code of this client and redirect_uri, once",), hint)


def _missing(error_code: ErrorCode) -> ServiceError:
    return error_code.error(compared=Compared("grant", hint=Hint.MISSING))


def _refuse_removed(uri: str, client: Client) -> None:
    """Raises TOKEN-067 unless the code's redirect URI is still registered (AZ-01)."""
    registered = redirect_uris.is_registered(uri, client.redirect_uris, any_port=client.any_loopback_port)
    if not registered or not may_return_to(client, uri):
        compared = compare_uri("grant", uri, client.redirect_uris)
        raise REDIRECT_URI_REMOVED.error(client=client.client_id, redirect_uri=uri[:200], compared=compared)


def _read(parameters: Mapping[str, str], method: AuthMethod) -> _Requested:
    code = parameters.get("code")
    redirect_uri = parameters.get("redirect_uri")
    verifier = parameters.get("code_verifier", "")
    if not code:
        raise _missing(NO_CODE)
    if not redirect_uri:
        raise _missing(NO_REDIRECT_URI)
    if not verifier and method is AuthMethod.NONE:
        raise _missing(NO_VERIFIER)
    if verifier and not pkce.is_verifier(verifier):
        raise BAD_VERIFIER.error(compared=Compared("grant"))
    return _Requested(code, redirect_uri, verifier)
