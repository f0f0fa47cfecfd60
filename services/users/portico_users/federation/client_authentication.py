"""How Portico authenticates at a token endpoint (RFC 6749 §2.3.1, RFC 7523 §2.2), with the secrets stored for it."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote_plus

from portico_oauth.errors import UNAVAILABLE
from portico_oauth.jose import SigningKey
from portico_oauth.master_keys import UnsealingFailed
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.clock import Clock

from portico_users.directory.identity_providers.idp import Idp, OidcConfig
from portico_users.directory.identity_providers.presets.names import AuthMethod
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.signing_keys import read_signing_key, signs_secret

_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

ASSERTION_SECONDS: Final = 60
SECRET_SECONDS: Final = 300
"""Apple takes up to six months; one that is made for one request needs minutes."""


@dataclass(frozen=True, slots=True)
class ProviderCredentials:
    """How Portico proves who it is at a token endpoint.

    Args:
        secret: empty for a public client.
        methods: what the endpoint supports; empty where it names none, which means ``client_secret_basic``.
        method: what the record names.
        assertion: the JWT of ``private_key_jwt``.
    """

    client_id: str
    secret: str = field(default="", repr=False)
    methods: Sequence[str] = ()
    method: AuthMethod = AuthMethod.AUTO
    assertion: str = field(default="", repr=False)

    def add_to(self, fields: dict[str, str]) -> dict[str, str]:
        """Adds to the form what belongs there; the headers to be sent with it."""
        method = self._method()
        if method is AuthMethod.CLIENT_SECRET_BASIC:
            pair = f"{quote_plus(self.client_id)}:{quote_plus(self.secret)}"
            return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        fields["client_id"] = self.client_id
        if method is AuthMethod.CLIENT_SECRET_POST:
            fields["client_secret"] = self.secret
        if method is AuthMethod.PRIVATE_KEY_JWT:
            fields |= {"client_assertion_type": _ASSERTION_TYPE, "client_assertion": self.assertion}
        return {}

    def _method(self) -> AuthMethod:
        if self.method is not AuthMethod.AUTO:
            return self.method
        if not self.secret:
            return AuthMethod.NONE
        basic, post = AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.CLIENT_SECRET_POST
        return post if post in self.methods and basic not in self.methods else basic


@dataclass(frozen=True, slots=True)
class CredentialSigner:
    """Makes what is signed anew for each request."""

    clock: Clock
    random: RandomBytes

    def credentials(
        self, config: OidcConfig, secret: str, endpoint: str, methods: Sequence[str]
    ) -> ProviderCredentials:
        """The credentials of a configuration.

        Args:
            secret: what is sealed of it: a client secret, or a private key.
            endpoint: the token endpoint, which an assertion is for.
            methods: what it supports.

        Raises:
            ServiceError: USER-632 for a key that cannot be read.
        """
        method = config.auth_method
        if signs_secret(config):
            key = read_signing_key(secret, "ES256", kid=config.key_id)
            secret = self._sign(key, config.client_id, SECRET_SECONDS, iss=config.team_id, aud=config.issuer)
        elif method is AuthMethod.PRIVATE_KEY_JWT:
            key = read_signing_key(secret, kid=config.key_id)
            members = {"iss": config.client_id, "aud": endpoint, "jti": b64url(self.random(16))}
            assertion = self._sign(key, config.client_id, ASSERTION_SECONDS, **members)
            return ProviderCredentials(config.client_id, method=method, assertion=assertion)
        return ProviderCredentials(config.client_id, secret, methods, method)

    def _sign(self, key: SigningKey, client_id: str, seconds: int, **members: str) -> str:
        now = int(self.clock.now())
        claims = {**members, "sub": client_id, "iat": now, "exp": now + seconds}
        return key.sign(json.dumps(claims).encode())


@dataclass(frozen=True, slots=True)
class StoredSecrets:
    """Unseals the secret of a provider."""

    sealer: SecretSealer

    def of(self, idp: Idp) -> str:
        """The secret; empty for none. Raises `unavailable` where its master key is not there."""
        if not idp.sealed_secret:
            return ""
        try:
            return self.sealer.unseal(idp.sealed_secret, idp.id, idp.config.sealed_for)
        except UnsealingFailed as error:
            raise UNAVAILABLE.error(part="master keys", idp=idp.id) from error
