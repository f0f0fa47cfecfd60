"""Valid and faulty DPoP proofs (RFC 9449)."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from jwt import get_algorithm_by_name
from portico_oauth.dpop import thumbprint, token_digest
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url

_numbers = count()
_BESIDE_THE_KEY = ("kid", "use", "alg")


class Prover:
    """A client with a key, which signs proofs for calls of `base`."""

    def __init__(self, base: str, now: float, alg: str = "ES256") -> None:
        self.key = SigningKey.generate("", alg)
        self.base = base
        self.now = now

    @property
    def jwk(self) -> dict[str, str]:
        return {name: value for name, value in self.key.public_jwk().items() if name not in _BESIDE_THE_KEY}

    @property
    def jkt(self) -> str:
        return thumbprint(self.jwk)

    def proof(
        self,
        path: str,
        *,
        method: str = "POST",
        token: str = "",
        header: dict[str, Any] | None = None,
        **claims: Any,
    ) -> str:
        """Returns a proof; an ellipsis removes a member of the header or a claim."""
        members = {"typ": "dpop+jwt", "alg": self.key.alg, "jwk": self.jwk, **(header or {})}
        said: dict[str, Any] = {
            "jti": f"proof-{next(_numbers)}",
            "htm": method,
            "htu": self.base + path,
            "iat": int(self.now),
            **({"ath": token_digest(token)} if token else {}),
            **claims,
        }
        return self._sign(_kept(members), _kept(said))

    def headers(self, path: str, *, method: str = "POST", token: str = "", **claims: Any) -> dict[str, str]:
        """Returns the headers of a call: the proof, and the access token if there is one."""
        authorization = {"Authorization": f"DPoP {token}"} if token else {}
        return {"DPoP": self.proof(path, method=method, token=token, **claims), **authorization}

    def _sign(self, header: dict[str, Any], claims: dict[str, Any]) -> str:
        signed = f"{b64url(json.dumps(header).encode())}.{b64url(json.dumps(claims).encode())}"
        signature = get_algorithm_by_name(self.key.alg).sign(signed.encode(), self.key.private)
        return f"{signed}.{b64url(signature)}"


def _kept(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not ...}
