"""authorization_code (RFC 6749 §4.1.3, RFC 7636 §4.5).

Easy to get wrong: redirect_uri is required whatever the authorization request said (TK-08); authz compares
client, redirect_uri and verifier before the one atomic claim of the code, so a wrong one does not use it up
(TK-05, TK-06); a used code, presented again by the right client, ends what it gave, also what a racing
winner is about to make (TK-03).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

import structlog
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.events import GRANT_COMPROMISED, GrantSaid
from portico_contracts.users import AuthMethod
from portico_oauth import pkce
from portico_oauth.errors import Fact, Kind, Refusal
from portico_oauth.scopes import OFFLINE_ACCESS

from portico_token.domain.audience import audience_of
from portico_token.domain.claims import requested_claims
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant
from portico_token.grants.protocol import Grantable, GrantNeeds

log = structlog.get_logger("portico.token")

NO_CODE = Fact("TOKEN-030", Kind.MALFORMED, "The code is missing.", "Send the code of the authorization response.")
NO_REDIRECT_URI = Fact(
    "TOKEN-031",
    Kind.MALFORMED,
    "The redirect_uri is missing.",
    "Send the redirect_uri of the authorization request again.",
)
NO_VERIFIER = Fact(
    "TOKEN-032", Kind.MALFORMED, "The code_verifier is missing.", "A client without a secret must use PKCE."
)
BAD_VERIFIER = Fact(
    "TOKEN-033",
    Kind.MALFORMED,
    "The code_verifier is malformed.",
    "Send 43 to 128 characters of A-Z, a-z, 0-9, hyphen, dot, underscore and tilde.",
)
CODE_REFUSED = Fact(
    "TOKEN-034", Kind.GRANT_SPENT, "The code is not valid.", "Start a new authorization request; use each code once."
)

EVERY_METHOD: Final = frozenset(AuthMethod)


@dataclass(frozen=True, slots=True)
class _Asked:
    code: str = field(repr=False)
    redirect_uri: str
    code_verifier: str = field(repr=False)


class AuthorizationCode:
    """Exchanges a code for tokens."""

    grant_type: ClassVar[str] = "authorization_code"
    parameters: ClassVar[frozenset[str]] = frozenset({"code", "redirect_uri", "code_verifier"})
    methods: ClassVar[frozenset[AuthMethod]] = EVERY_METHOD

    def __init__(self, needs: GrantNeeds) -> None:
        self._bus = needs.bus
        self._grants = needs.grants
        self._clock = needs.clock

    async def authorize(self, parameters: Mapping[str, str], client: AuthenticatedClient) -> Grantable:
        """See `GrantType.authorize`."""
        asked = _read(parameters, client.method)
        redeemed = await self._bus.call(
            REDEEM_CODE,
            RedeemCode(
                code=asked.code,
                client_id=client.client.client_id,
                redirect_uri=asked.redirect_uri,
                code_verifier=asked.code_verifier,
            ),
        )
        if redeemed.spent_grant_id:
            await self._end_compromised(redeemed.spent_grant_id, client.client.client_id)
        # The owner of the code has compared the client; that it did is worth a second look (TK-05).
        if redeemed.grant is None or redeemed.grant.client_id != client.client.client_id:
            raise CODE_REFUSED.refusal(grant=redeemed.spent_grant_id)
        return Grantable(self._grant(redeemed.grant, client), redeemed.grant.nonce)

    def _grant(self, code: CodeGrant, client: AuthenticatedClient) -> Grant:
        # Nothing serves refresh tokens yet, so the answer's scope does not promise one.
        scope = tuple(word for word in code.scope if word != OFFLINE_ACCESS)
        claims = requested_claims(code.claims)
        return Grant(
            id=code.grant_id,
            user_id=code.user_id,
            client_id=code.client_id,
            audience=audience_of(client.client, scope),
            scope=scope,
            session_id=code.session_id,
            auth_time=code.auth_time,
            amr=code.amr,
            acr=code.acr,
            created=int(self._clock.now()),
            userinfo_claims=claims.userinfo,
            id_token_claims=claims.id_token,
        )

    async def _end_compromised(self, grant_id: str, client_id: str) -> None:
        if not await self._grants.revoke(grant_id):
            return
        said = GrantSaid(
            event_id=f"grant-compromised-{grant_id}",
            grant_id=grant_id,
            client_id=client_id,
            user_id="",
            at=self._clock.now(),
        )
        try:
            await self._bus.publish(GRANT_COMPROMISED, said, event_id=said.event_id)
        except Refusal:  # a hint: the grant is ended whether or not anybody hears it
            log.warning("compromised grant not announced")


def _read(parameters: Mapping[str, str], method: AuthMethod) -> _Asked:
    code = parameters.get("code")
    redirect_uri = parameters.get("redirect_uri")
    verifier = parameters.get("code_verifier", "")
    if not code:
        raise NO_CODE.refusal()
    if not redirect_uri:
        raise NO_REDIRECT_URI.refusal()
    if not verifier and method is AuthMethod.NONE:
        raise NO_VERIFIER.refusal()
    if verifier and not pkce.is_verifier(verifier):
        raise BAD_VERIFIER.refusal()
    return _Asked(code, redirect_uri, verifier)
