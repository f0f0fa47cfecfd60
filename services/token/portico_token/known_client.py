"""What happens as soon as the client of a request is known."""

from __future__ import annotations

from contextlib import suppress

from portico_contracts.users import Client, Dpop
from portico_oauth.jose import MalformedToken, unverified_claims
from starlette.requests import Request

from portico_token.credential_form import CLIENT
from portico_token.cross_origin import READERS
from portico_token.dpop.proofs import Proofs, sent_proofs


def note_client(request: Request, client: Client) -> None:
    """Its pages may read the response, also of an error, and diagnostics name it."""
    request.scope[READERS] = client.origins
    request.scope[CLIENT] = client


def before_use(proofs: Proofs, request: Request, client: Client) -> None:
    """Raises TOKEN-311 for a proof that needs another nonce: its client may send the same assertion again.

    Some libraries sign only the proof again. A proof with another fault is refused when it is verified.
    """
    note_client(request, client)
    sent = sent_proofs(request)
    if client.dpop is Dpop.OFF or not client.dpop_nonce or len(sent) != 1:
        return
    with suppress(MalformedToken):
        nonce = unverified_claims(sent[0]).get("nonce")
        proofs.nonces.send(request)
        proofs.nonces.refuse_others(nonce)
