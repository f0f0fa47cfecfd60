from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import httpx
from portico_contracts.users import AuthMethod
from portico_oauth.jose import SigningKey

from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.token_service import CALLBACK, ISSUER, TokenService

ASSERTION_USES: Final = ("private_key_jwt", "jwt-bearer")
KEY: Final = SigningKey.generate("key-1", "ES256")
EXPIRED, STRANGE = (SigningKey.generate(kid, "ES256") for kid in ("expired", "strange"))
"""Registered, but expired; never registered."""


@cache
def assertion_keys() -> dict[str, SigningKey]:
    """Returns the keys registered at both by algorithm. An RSA key takes a tenth of a second, so not every run has one."""
    others = {alg: SigningKey.generate(f"key-{alg}", alg) for alg in ("RS256", "EdDSA")}
    return {"ES256": KEY, **others}


@dataclass(frozen=True)
class AssertionUse:
    """One use of assertions: `private_key_jwt` or the JWT profile grant."""

    service: TokenService
    subject: str
    error: tuple[int, str]

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Returns the claims of a valid assertion, with changes."""
        return claims_of(self.subject, ISSUER, self.service.clock.now(), **changes)

    def signed(self, **changes: Any) -> str:
        return sign(KEY, self.claims(**changes))

    async def present(self, assertion: str) -> httpx.Response:
        if self.subject == "robot":
            return await self.service.jwt_bearer(assertion)
        form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
        code = self.service.issue_code("signer")
        return await self.service.token(
            {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **form}
        )

    async def accepts(self, assertion: str) -> bool:
        """Returns True for 200, False for the expected error; a refused client leaves its code unused."""
        answer = await self.present(assertion)
        if answer.status_code == 200:
            return True
        assert (answer.status_code, answer.json()["error"]) == self.error, answer.text
        assert "www-authenticate" not in answer.headers
        return False


def assertion_use_of(name: str, service: TokenService) -> AssertionUse:
    """Returns one of `ASSERTION_USES`, with a client or service user that may present assertions there."""
    keys = (*map(registered, assertion_keys().values()), registered(EXPIRED, expires_at=service.clock.now()))
    service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=keys)
    service.register_service_user("robot", keys=keys)
    if name == "jwt-bearer":
        return AssertionUse(service, "robot", (400, "invalid_grant"))
    return AssertionUse(service, "signer", (401, "invalid_client"))
