"""What a request presented to authenticate its client, looked at again for its trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from portico_contracts.users import AuthMethod
from portico_oauth.errors import ServiceError
from portico_oauth.jose import MalformedToken, unverified_header

from portico_token.assertions.verification import issuer_of
from portico_token.client_auth.credentials import BasicSecret, ClientAssertion, IdOnly, PostSecret
from portico_token.client_auth.find import find_credentials

_METHODS: Final = {
    BasicSecret: AuthMethod.CLIENT_SECRET_BASIC,
    PostSecret: AuthMethod.CLIENT_SECRET_POST,
    ClientAssertion: AuthMethod.PRIVATE_KEY_JWT,
    IdOnly: AuthMethod.NONE,
}


class Presented(NamedTuple):
    """The mechanism that was used.

    Attributes:
        client_id: not verified; empty where none can be read.
        method: None where none can be recognized.
        assertion: of the client or of the grant; empty without one.
    """

    client_id: str = ""
    method: AuthMethod | None = None
    assertion: str = ""

    @property
    def kid(self) -> str | None:
        """The key id that the header of the assertion names; None without one."""
        try:
            kid = unverified_header(self.assertion).get("kid")
        except MalformedToken:
            return None
        return kid if isinstance(kid, str) else None


def read_presented(authorization: Sequence[str], form: Mapping[str, str]) -> Presented:
    """The mechanism of a request; as much as can be read of one that was refused for it."""
    if "assertion" in form:
        return Presented(issuer_of(form["assertion"]), AuthMethod.PRIVATE_KEY_JWT, form["assertion"])
    try:
        credentials = find_credentials(authorization, form)
    except ServiceError:
        return Presented(form.get("client_id", ""))
    assertion = credentials.assertion if isinstance(credentials, ClientAssertion) else ""
    return Presented(credentials.client_id, _METHODS[type(credentials)], assertion)
