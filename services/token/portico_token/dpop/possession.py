"""Which key a caller has proven: of a client at the endpoints that issue tokens, and of a token at a resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from portico_contracts.users import Client, Dpop
from portico_oauth.dpop import FAPI2_ALGORITHMS, PROOF_ALGORITHMS, SCHEME
from starlette.requests import Request

from portico_token.domain.clients import ALIAS, AuthenticatedClient
from portico_token.dpop import errors
from portico_token.dpop.errors import refused
from portico_token.dpop.proof import Call
from portico_token.dpop.proofs import Proofs, sent_proofs


class PresentedToken(NamedTuple):
    """An access token as it was sent; `is_bound` by its scheme, which the caller chose."""

    text: str
    is_bound: bool = False

    def __repr__(self) -> str:
        """Omits the token, which is secret."""
        return "PresentedToken(...)"


async def prove_key(
    proofs: Proofs, request: Request, caller: AuthenticatedClient, path: str, *, is_bound: bool = False
) -> AuthenticatedClient:
    """The caller with the key that its proof proves, for an application that may use DPoP. Raises TOKEN-301..311.

    `is_bound`: what it presents is bound to a key, and stays so when DPoP is turned off.
    """
    if caller.client.dpop is Dpop.OFF and not is_bound:
        return caller
    sent = sent_proofs(request)
    if sent and caller.client.dpop_nonce:
        proofs.nonces.send(request)
    return caller.proving(
        await proofs.accept(sent, call_of(caller.client, "POST", base_of(request, proofs.issuer) + path))
    )


def base_of(request: Request, issuer: str) -> str:
    """The base of the URL that the client called: the issuer, or the one for client certificates (RFC 8705 section 5)."""
    alias: str = request.scope.get(ALIAS, "")
    return alias or issuer


def call_of(client: Client | None, method: str, uri: str, access_token: str | None = None) -> Call:
    """The call with the skew and the algorithms of the client; None for a service user's own token."""
    if client is None:
        return Call(method, uri, access_token)
    algorithms = FAPI2_ALGORITHMS if client.fapi2 else PROOF_ALGORITHMS
    return Call(method, uri, access_token, client.clock_skew_seconds, algorithms, client.dpop_nonce)


def require_key(caller: AuthenticatedClient) -> None:
    """Raises TOKEN-300 where the application must use DPoP."""
    if caller.client.dpop is Dpop.REQUIRED and not caller.jkt:
        raise refused(errors.NO_PROOF, wanted=("a proof in the header DPoP",))


async def require_possession(
    proofs: Proofs, presented: PresentedToken, jkt: str, sent: Sequence[str], call: Call
) -> None:
    """Raises TOKEN-301..315 unless a token that is bound to `jkt` was sent with a proof of that key, another without."""
    if not jkt:
        if presented.is_bound:
            raise refused(errors.UNBOUND_TOKEN, SCHEME, ("Bearer",))
        return
    if not presented.is_bound:
        raise refused(errors.BOUND_TOKEN, "Bearer", (SCHEME,))
    if not sent:
        raise refused(errors.PROOF_MISSING, wanted=("a proof in the header DPoP",))
    if await proofs.accept(sent, call) != jkt:
        raise refused(errors.OTHER_KEY, "jwk", ("the key of the token request",))
